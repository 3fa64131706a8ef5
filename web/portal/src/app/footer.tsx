import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { OutsideLink } from '@shared/ui/outside-link.tsx'
import { useApplication } from '@/data/application.ts'
import './footer.css'
import { paths } from './paths.ts'

const LINKS = ['imprint', 'privacy', 'accessibility'] as const

/** The tenant's name and the links that the law asks for, as far as the tenant has them (L2). */
export function Footer() {
  const { t } = useTranslation()
  const { name, config } = useApplication()
  // Without an address of its own, the statement is the portal's.
  const urlOf = (key: (typeof LINKS)[number]) =>
    config.legal[key].url || (key === 'accessibility' ? paths.accessibility() : '')
  const links = LINKS.filter((key) => config.legal[key].enabled && urlOf(key))
  return (
    <footer className="footer">
      <div className="footer__inner">
        <span>{name}</span>
        {links.length > 0 && (
          <nav className="footer__links" aria-label={t('footer.label')}>
            {links.map((key) => (
              <LegalLink key={key} url={urlOf(key)} text={t(`footer.${key}`)} />
            ))}
          </nav>
        )}
      </div>
    </footer>
  )
}

/** The portal's own statement opens in its place: what was typed is kept on the way. */
function LegalLink({ url, text }: { url: string; text: string }) {
  if (url === paths.accessibility()) return <Link href={url}>{text}</Link>
  if (url.startsWith('/')) return <a href={url}>{text}</a>
  return <OutsideLink href={url}>{text}</OutsideLink>
}
