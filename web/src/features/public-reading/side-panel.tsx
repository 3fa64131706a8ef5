import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useContact } from '@/api/content.ts'
import { currentLanguage } from '@/i18n/i18n.ts'
import { Icon } from '@/ui/icon.tsx'
import { MarkdownText } from '@/ui/markdown-text.tsx'

/** What helps beside the form, where there is room for it (P2). */
export function SidePanel({ homePath, path }: { homePath: string; path: string }) {
  const { t } = useTranslation('publicReading')
  return (
    <aside className="public-reading__side" aria-label={t('side.label')}>
      <section className="side-block">
        <Icon name="info" />
        <h2>{t('side.introTitle')}</h2>
        <p>{t('side.intro')}</p>
      </section>
      <section className="side-block">
        <Icon name="user" />
        <h2>{t('side.pinTitle')}</h2>
        <p>{t('side.pin')}</p>
        <Link href={homePath} className="button-link button-link--plain">
          {t('side.pinLogin')}
        </Link>
      </section>
      <ContactTexts path={path} />
    </aside>
  )
}

/** How to reach the utility; a text that cannot be had is not missed. */
function ContactTexts({ path }: { path: string }) {
  const texts = useContact(currentLanguage(), path)
  return texts.map(({ text }) => (
    <section key={text} className="side-block">
      <MarkdownText text={text} level={2} />
    </section>
  ))
}
