import { Radio, RadioGroupField, TextField } from '@aws-amplify/ui-react'
import { useId, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { JobLine } from '@/components/job-line.tsx'
import { More } from '@/components/more.tsx'
import { SearchStatus } from '@/components/search-status.tsx'
import { useSearch } from '@/data/search.ts'
import type { FoundCustomer, Suggestion } from '@/data/types.ts'
import { SuggestionLine } from './suggestion-line.tsx'

interface Props {
  tenant: string
  suggestions: readonly Suggestion[]
  job: string
  /** None was chosen, and one is needed. */
  isMissing: boolean
  onChange: (job: string) => void
}

/** The jobs that suggest themselves, and those that a search finds. */
export function JobChoice({ tenant, suggestions, job, isMissing, onChange }: Props) {
  const { t } = useTranslation('deciding')
  const [words, setWords] = useState('')
  const [picked, setPicked] = useState<FoundCustomer>()
  const searched = useSearch(tenant, words, 'jobs')
  const found = searched.found?.filter((one) => !suggestions.some((known) => known.job === one.job)) ?? []
  // Other words may not find what was chosen, which must be seen all the same.
  const isHidden = picked?.job === job && !found.some((one) => one.job === job)
  const others = picked && isHidden ? [picked, ...found] : found
  const hasChoice = suggestions.length + others.length > 0
  const faultId = useId()
  return (
    <>
      <RadioGroupField
        legend={t('whichJob')}
        name="job"
        value={job}
        hasError={isMissing && hasChoice}
        errorMessage={
          <span id={faultId} role="alert">
            {t('chooseJob')}
          </span>
        }
        aria-describedby={isMissing && hasChoice ? faultId : undefined}
        onChange={({ target }) => {
          setPicked(others.find((one) => one.job === target.value))
          onChange(target.value)
        }}
      >
        {suggestions.map((suggestion) => (
          <Radio key={suggestion.job} value={suggestion.job}>
            <SuggestionLine suggestion={suggestion} />
          </Radio>
        ))}
        {others.map((one) => (
          <Radio key={one.job} value={one.job ?? ''}>
            <JobLine job={one} />
          </Radio>
        ))}
      </RadioGroupField>
      <More hasMore={searched.hasMore} isLoading={searched.isSearching} more={searched.more}>
        {t('more')}
      </More>
      <TextField
        className="decision-form__wide"
        label={t('otherJob')}
        name="words"
        autoComplete="off"
        value={words}
        hasError={isMissing && !hasChoice}
        errorMessage={<span role="alert">{t('findJob')}</span>}
        onChange={({ target }) => setWords(target.value)}
      />
      <SearchStatus {...searched} />
    </>
  )
}
