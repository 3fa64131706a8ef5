import { Button, SelectField, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import type { Field } from '@/data/types.ts'
import { FieldOptions } from './field-options.tsx'
import { fix, type Mapping } from './mapping.ts'
import { useOptionName } from './use-option-name.ts'

interface Props {
  fields: readonly Field[]
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

/** What every line has the same, because the table does not say it. */
export function Constants({ fields, mapping, onChange }: Props) {
  const { t } = useTranslation('imports')
  const language = useStaffLanguage()
  const optionName = useOptionName()
  const [added, setAdded] = useState<readonly string[]>([])
  const shown = [...new Set([...Object.keys(mapping.constants ?? {}), ...added])]
  const free = fields.filter(({ name }) => !shown.includes(name) && !(name in mapping.columns))
  return (
    <details className="fields">
      <summary>{t('constants', { count: Object.keys(mapping.constants ?? {}).length })}</summary>
      {shown.map((name) => {
        const field = fields.find((one) => one.name === name)
        const label = field?.label[language] ?? name
        const value = mapping.constants?.[name] ?? ''
        return (
          <div key={name} className="row-of">
            {field && field.options.length > 0 ? (
              <SelectField
                label={label}
                size="small"
                value={value}
                onChange={({ target }) => onChange(fix(mapping, name, target.value))}
              >
                <option value="">{t('unsaid')}</option>
                {field.options.map((option) => (
                  <option key={option} value={option}>
                    {optionName(option)}
                  </option>
                ))}
              </SelectField>
            ) : (
              <TextField
                label={label}
                size="small"
                autoComplete="off"
                value={value}
                onChange={({ target }) => onChange(fix(mapping, name, target.value))}
              />
            )}
            <Button
              size="small"
              aria-label={t('removeConstant', { field: label })}
              onClick={() => {
                setAdded(added.filter((one) => one !== name))
                onChange(fix(mapping, name, ''))
              }}
            >
              {t('remove')}
            </Button>
          </div>
        )
      })}
      <SelectField
        label={t('addConstant')}
        size="small"
        value=""
        onChange={({ target }) => target.value !== '' && setAdded([...added, target.value])}
      >
        <option value="">{t('choose')}</option>
        <FieldOptions fields={free} />
      </SelectField>
    </details>
  )
}
