import { CheckboxField, SelectField } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Heads } from '@/components/heads.tsx'
import type { Column, Field, ImportFile } from '@/data/types.ts'
import { FieldOptions } from './field-options.tsx'
import { AS_IT_CAME, choiceOf, choose, type Mapping, mean, trim } from './mapping.ts'
import { useOptionName } from './use-option-name.ts'

interface Props {
  file: ImportFile
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

/** The columns of a table with examples, and which field each is. */
export function ColumnTable({ file, mapping, onChange }: Props) {
  const { t } = useTranslation('imports')
  const names = file.columns.map(({ name }) => name)
  const keys = names.map((name, place) => `${name} ${names.slice(0, place).filter((other) => other === name).length}`)
  return (
    <table className="stacks columns-of">
      <Heads names={[t('column'), t('samples'), t('field')]} />
      <tbody>
        {file.columns.map((column, index) => (
          <tr key={keys[index]}>
            <td data-name={t('column')} className="identifier">
              {column.name || t('nameless')}
            </td>
            <td data-name={t('samples')} className="identifier soft">
              {column.samples.join(' · ')}
            </td>
            <td data-name={t('field')}>
              {column.isAdded || column.isTwice || column.name === '' ? (
                t(column.isAdded ? 'addedByFaults' : column.name === '' ? 'namelessText' : 'twice')
              ) : (
                <Choice column={column} file={file} mapping={mapping} onChange={onChange} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Choice({ column, file, mapping, onChange }: Props & { column: Column }) {
  const { t } = useTranslation('imports')
  const choice = choiceOf(mapping, column.name)
  const field = file.fields.find(({ name }) => name === choice)
  return (
    <>
      <SelectField
        label={t('fieldOf', { column: column.name })}
        labelHidden
        size="small"
        value={choice}
        onChange={({ target }) => onChange(choose(mapping, column.name, target.value, file.columns))}
      >
        <option value="">{t('notTaken')}</option>
        {choice !== '' && choice !== AS_IT_CAME && !field && <option value={choice}>{choice}</option>}
        {file.kind === 'JOBS' && <option value={AS_IT_CAME}>{t('asItCame')}</option>}
        <FieldOptions fields={file.fields} />
      </SelectField>
      {field && field.options.length > 0 && (
        <Meanings column={column} field={field} mapping={mapping} onChange={onChange} />
      )}
      {field?.isText && column.samples.some((sample) => /^0\d+$/.test(sample)) && (
        <CheckboxField
          name={`trim ${column.name}`}
          size="small"
          label={t('trim')}
          checked={mapping.trimLeadingZeros?.includes(field.name) ?? false}
          onChange={({ target }) => onChange(trim(mapping, field.name, target.checked))}
        />
      )}
    </>
  )
}

interface MeaningsProps {
  column: Column
  field: Field
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

/** What the values of a column mean whose field is one of a few things. */
function Meanings({ column, field, mapping, onChange }: MeaningsProps) {
  const { t } = useTranslation('imports')
  const optionName = useOptionName()
  const own = column.values.filter((value) => !field.options.includes(value))
  if (own.length === 0) return null
  return (
    <div className="meanings">
      {own.map((value) => (
        <SelectField
          key={value}
          label={t('means', { value })}
          size="small"
          value={mapping.values?.[field.name]?.[value] ?? ''}
          onChange={({ target }) => onChange(mean(mapping, field.name, value, target.value))}
        >
          <option value="">{t('unsaid')}</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {optionName(option)}
            </option>
          ))}
        </SelectField>
      ))}
    </div>
  )
}
