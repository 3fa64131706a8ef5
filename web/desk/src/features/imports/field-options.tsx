import { useTranslation } from '@shared/i18n/react.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import type { Field } from '@/data/types.ts'

const GROUPS = ['ITSELF', 'METER', 'REGISTER', 'FIRST', 'SECOND', 'THIRD', 'CUSTOMER'] as const

/** The fields of a line to choose from, by what they belong to. */
export function FieldOptions({ fields }: { fields: readonly Field[] }) {
  const { t } = useTranslation('imports')
  const language = useStaffLanguage()
  return (
    <>
      {GROUPS.map((group) => {
        const some = fields.filter((field) => field.group === group)
        return some.length === 0 ? null : (
          <optgroup key={group} label={t(`groups.${group}`)}>
            {some.map(({ name, label, isRequired }) => (
              <option key={name} value={name}>
                {label[language]}
                {isRequired && ' *'}
              </option>
            ))}
          </optgroup>
        )
      })}
    </>
  )
}
