import { useTranslation } from '@shared/i18n/react.tsx'
import { JobLine } from '@/components/job-line.tsx'
import type { Suggestion } from '@/data/types.ts'

/** A job that suggests itself, and why. */
export function SuggestionLine({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation('deciding')
  return (
    <span>
      <JobLine job={suggestion} />
      <br />
      <span className="soft">
        {t('because', { reasons: suggestion.because.map((fit) => t(`fit.${fit}`)).join(', ') })}
      </span>
    </span>
  )
}
