import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import type { Field, ImportFile } from '@/data/types.ts'

interface Props {
  /** What the mapping is called, or the file that was imported by it. */
  of: string
  missing: ImportFile['missing']
  fields: readonly Field[]
}

/** Which columns of a mapping the table does not have any more, what they were for, and what is proposed in their place. */
export function MissingColumns({ of, missing, fields }: Props) {
  const { t } = useTranslation('imports')
  const language = useStaffLanguage()
  const labelOf = (name: string) => {
    if (name === 'passThrough') return t('asItCame')
    return fields.find((field) => field.name === name)?.label[language] ?? name
  }
  if (missing.length === 0) return null
  return (
    <Message type="warning">
      {t('missing', { of })}
      <ul>
        {missing.map(({ column, field, instead }) => (
          <li key={`${column} ${field}`}>
            {t(instead ? 'missingInstead' : 'missingColumn', { column, field: labelOf(field), instead: instead ?? '' })}
          </li>
        ))}
      </ul>
    </Message>
  )
}
