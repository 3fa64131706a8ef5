import { CheckboxField, SelectField } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Mapping } from './mapping.ts'

/** How the table writes numbers and days. */
export function Writing({ mapping, onChange }: { mapping: Mapping; onChange: (mapping: Mapping) => void }) {
  const { t } = useTranslation('imports')
  const isSap = mapping.numbers === 'sap' && mapping.days === 'sap'
  return (
    <details className="fields">
      <summary>{t('writing')}</summary>
      <SelectField
        name="decimal"
        label={t('decimal')}
        value={mapping.decimal ?? ','}
        onChange={({ target }) => onChange({ ...mapping, decimal: target.value === '.' ? '.' : ',' })}
      >
        <option value=",">{t('comma')}</option>
        <option value=".">{t('point')}</option>
      </SelectField>
      <CheckboxField
        name="sap"
        label={t('sap')}
        checked={isSap}
        onChange={({ target }) => {
          const style = target.checked ? 'sap' : 'plain'
          onChange({ ...mapping, numbers: style, days: style })
        }}
      />
    </details>
  )
}
