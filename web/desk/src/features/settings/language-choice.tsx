import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Settings } from '@/data/types.ts'
import { type Language, languagesOf } from './documents.ts'
import { DraftChoice } from './draft-field.tsx'

/** In which of the portal's languages something is written. */
export function useLanguageChoice(settings: Settings) {
  const languages = languagesOf(settings)
  const [chosen, choose] = useState('')
  const found = languages.find(({ name }) => name === chosen) ?? languages[0]
  return { language: found?.name ?? 'de-FORMAL', choose, languages }
}

interface Props {
  language: string
  choose: (language: string) => void
  languages: readonly Language[]
}

export function LanguageChoice({ language, choose, languages }: Props) {
  const { t } = useTranslation('settings')
  return (
    <DraftChoice
      name="language"
      label={t('language')}
      value={language}
      options={languages.map(({ name, readableName }) => ({ value: name, label: readableName }))}
      save={choose}
    />
  )
}
