import { SelectField, TextField } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'

interface Props {
  name: string
  label: string
  value: string | undefined
  options: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
}

/** One choice among what a list may be narrowed down to. */
export function Filter({ name, label, value = '', options, onChange }: Props) {
  const { t } = useTranslation('parts')
  return (
    <SelectField size="small" name={name} label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t('filter.all')}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

/** A day to which a list may be narrowed down. */
export function DayFilter({ name, label, value = '', onChange }: Omit<Props, 'options'>) {
  return (
    <TextField
      size="small"
      type="date"
      name={name}
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** That the address has unknown filters: the list below is wider than its author thought. */
export function UnknownFilters({ unknown }: { unknown: readonly string[] }) {
  const { t } = useTranslation('parts')
  if (unknown.length === 0) return null
  return <Message type="warning">{t('filter.unknown', { filters: unknown.join(', ') })}</Message>
}
