import { useTranslation } from 'react-i18next'
import useSWR from 'swr'
import { Link } from 'wouter'
import { useApplication } from '@/api/application.ts'
import { api, unwrap } from '@/api/client.ts'
import { keys } from '@/api/keys.ts'
import type { ContactText } from '@/api/types.ts'
import { currentLanguage } from '@/i18n/i18n.ts'
import { Icon } from '@/ui/icon.tsx'
import { Markdown } from '@/ui/markdown.tsx'

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

/** How to reach the utility; a help that cannot be had is not missed. */
function ContactTexts({ path }: { path: string }) {
  const { applicationId, defaultLanguage } = useApplication()
  const { data = [] } = useSWR(keys.contact(applicationId), async () => {
    const contact = await unwrap(
      api.GET('/api/public/contact/{applicationId}', { params: { path: { applicationId } } }),
    )
    return contact.contactInformationItems
  })
  const here = data.filter((item) => item.path === '' || item.path === path)
  const inLanguage = (language: string) => here.filter((item) => item.language === language)
  const own = inLanguage(currentLanguage())
  const texts: readonly ContactText[] = own.length > 0 ? own : inLanguage(defaultLanguage)
  return texts.map(({ text }) => (
    <section key={text} className="side-block">
      <Markdown text={text} />
    </section>
  ))
}
