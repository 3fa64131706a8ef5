import { Button, SelectField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { SeasonDialog } from '@/components/season-dialog.tsx'
import type { ImportFile } from '@/data/types.ts'

interface Props {
  tenant: string
  seasons: ImportFile['seasons']
  value: string
  /** The lines may say it themselves. */
  isInLines: boolean
  /** It has to be named. */
  isLacking: boolean
  onChange: (season: string) => void
  reload: () => Promise<unknown>
}

/** The season of a file's jobs, which can be made here. */
export function SeasonField({ tenant, seasons, value, isInLines, isLacking, onChange, reload }: Props) {
  const { t } = useTranslation('imports')
  const [isMaking, setMaking] = useState(false)
  return (
    <div className="row-of">
      {seasons.length > 0 && (
        <SelectField
          name="season"
          label={t('season')}
          value={value}
          hasError={isLacking}
          errorMessage={t('seasonNeeded')}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{t(isInLines ? 'seasonOfLines' : 'choose')}</option>
          {seasons.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <Button onClick={() => setMaking(true)}>{t('newSeason')}</Button>
      {isMaking && (
        <SeasonDialog
          tenant={tenant}
          onDone={async (made) => {
            await reload()
            onChange(made)
            setMaking(false)
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </div>
  )
}
