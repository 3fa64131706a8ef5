import { Link } from 'wouter'
import { currentLanguage, foreignLang } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { MarkdownText } from '@shared/ui/markdown-text.tsx'
import { useContact, useHelp } from '@/data/content.ts'
import { useHasHelp } from '@/data/has-help.ts'

/** What helps beside the form, where there is room for it (P2); below it, on a phone, how to reach the utility. */
export function SidePanel({ homePath, path }: { homePath: string; path: string }) {
  const { t } = useTranslation('publicReading')
  const hasHelp = useHasHelp()
  return (
    <aside className="visitor-reading__side" aria-label={t('side.label')}>
      <section className="side-block side-block--wide">
        <Icon name="info" />
        <h2>{t('side.introTitle')}</h2>
        <p>{t('side.intro')}</p>
      </section>
      <section className="side-block side-block--wide">
        <Icon name="user" />
        <h2>{t('side.pinTitle')}</h2>
        <p>{t('side.pin')}</p>
        <Link href={homePath} className="button-link button-link--plain">
          {t('side.pinLogin')}
        </Link>
      </section>
      <ContactTexts path={path} />
      {hasHelp && <HelpText />}
    </aside>
  )
}

/** How to reach the utility; a text that cannot be had is not missed. */
function ContactTexts({ path }: { path: string }) {
  const texts = useContact(currentLanguage(), path)
  return texts.map(({ text, language }) => (
    <section key={text} className="side-block">
      <MarkdownText text={text} level={2} lang={foreignLang(language)} />
    </section>
  ))
}

/** The tenant's help, folded up: it is longer than the steps. */
function HelpText() {
  const { t } = useTranslation('publicReading')
  const { text } = useHelp(currentLanguage())
  if (!text) return null
  return (
    <details className="side-block side-help">
      <summary>
        <Icon name="help" />
        <h2>{t('side.help')}</h2>
        <Icon name="forward" size={1.25} className="side-help__arrow" />
      </summary>
      <MarkdownText text={text} level={3} />
    </details>
  )
}
