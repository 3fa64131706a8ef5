import { lazy, Suspense } from 'react'
import { untilThere } from '@shared/api/until-there.ts'
import { currentLanguage, foreignLang } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useContact } from '@/data/content.ts'
import './contact.css'

/** Until there is a network that brings it, the card is not there. */
const MarkdownText = lazy(() =>
  untilThere(async () => ({ default: (await import('@shared/ui/markdown-text.tsx')).MarkdownText })),
)

/** How to reach the utility, where the tenant has a text for this screen. */
export function ContactCard({ path }: { path: string }) {
  const { t } = useTranslation()
  const items = useContact(currentLanguage(), path)
  const texts = items.map(({ text }) => text)
  const [item] = items
  if (!item) return null
  return (
    <Suspense>
      <section className="panel contact-card">
        <h2 className="contact-card__title">{t('contact')}</h2>
        <MarkdownText text={texts.join('\n\n')} level={3} lang={foreignLang(item.language)} />
      </section>
    </Suspense>
  )
}
