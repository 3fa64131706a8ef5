import { useTranslation } from 'react-i18next'
import { useApplication } from '@/api/application.ts'
import './footer.css'

const LINKS = ['imprint', 'privacy', 'accessibility'] as const

/** The tenant's name and the links that the law asks for, as far as the tenant has them (L2). */
export function Footer() {
  const { t } = useTranslation()
  const { name, config } = useApplication()
  const links = LINKS.filter((key) => config.legal[key].enabled && config.legal[key].url)
  return (
    <footer className="footer">
      <div className="footer__inner">
        <span>{name}</span>
        {links.length > 0 && (
          <nav className="footer__links" aria-label={t('footer.label')}>
            {links.map((key) => (
              <LegalLink key={key} url={config.legal[key].url} text={t(`footer.${key}`)} />
            ))}
          </nav>
        )}
      </div>
    </footer>
  )
}

/** The utility's own pages open beside the portal, so that what was typed is not lost. */
function LegalLink({ url, text }: { url: string; text: string }) {
  const { t } = useTranslation()
  if (url.startsWith('/')) return <a href={url}>{text}</a>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
      <span className="visually-hidden"> {t('footer.newTab')}</span>
    </a>
  )
}
