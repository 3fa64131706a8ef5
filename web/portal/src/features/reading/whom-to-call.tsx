import { lazy, Suspense } from 'react'
import { untilThere } from '@shared/api/until-there.ts'
import { currentLanguage, foreignLang } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useContact } from '@/data/content.ts'

const MarkdownText = lazy(() =>
  untilThere(async () => ({ default: (await import('@shared/ui/markdown-text.tsx')).MarkdownText })),
)

/** How to reach the utility with a value that is refused though the meter shows it; nothing where the tenant has no text for all screens. */
export function WhomToCall() {
  const { t } = useTranslation('reading')
  const items = useContact(currentLanguage(), '')
  const [item] = items
  if (!item) return null
  return (
    <>
      <p>{t('expected.contact')}</p>
      <Suspense>
        <MarkdownText text={items.map(({ text }) => text).join('\n\n')} level={4} lang={foreignLang(item.language)} />
      </Suspense>
    </>
  )
}
