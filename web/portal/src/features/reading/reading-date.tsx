import { TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { IsoDate } from '@shared/rules/window.ts'

interface Props {
  readonly date: IsoDate
  readonly today: IsoDate
  readonly allowed: { readonly first: IsoDate; readonly last: IsoDate }
  readonly onChange: (date: IsoDate) => void
  /** A day that is not possible was replaced by today; the reader has to see that before anything is sent. */
  readonly onReset: () => void
}

/** The day of the reading, one for the whole job (L5). */
export function ReadingDate({ date, today, allowed, onChange, onReset }: Props) {
  const { t } = useTranslation('reading')
  // While a date is typed, its year passes through values such as 0002; it counts when the field is left.
  const [typed, setTyped] = useState<string>()
  const [wasReset, setReset] = useState(false)

  function leave() {
    if (typed === undefined) return
    const isAllowed = typed >= allowed.first && typed <= allowed.last
    setReset(!isAllowed)
    setTyped(undefined)
    onChange(isAllowed ? typed : today)
    if (!isAllowed) onReset()
  }

  return (
    <div className="reading-date">
      <TextField
        type="date"
        label={t('date.label')}
        descriptiveText={t('date.allowed', { first: formatDate(allowed.first), last: formatDate(allowed.last) })}
        value={typed ?? date}
        min={allowed.first}
        max={allowed.last}
        isRequired
        onChange={(event) => {
          const { value } = event.target
          setReset(false)
          setTyped(value)
          if (value >= allowed.first && value <= allowed.last) onChange(value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          leave()
        }}
        onBlur={leave}
      />
      <p role="status" className="reading-date__reset">
        {wasReset && t('date.reset')}
      </p>
    </div>
  )
}
