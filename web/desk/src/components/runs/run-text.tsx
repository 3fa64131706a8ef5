import { useTranslation } from '@shared/i18n/react.tsx'
import type { RunWords } from '@/data/types.ts'

/** What a run says, in the reader's language. */
export function RunText({ text }: { text: RunWords }) {
  const { language } = useTranslation('runs')
  return <>{language === 'de-FORMAL' ? text.de : text.en}</>
}
