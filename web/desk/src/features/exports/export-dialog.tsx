import { SelectField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { usePresetName } from '@/components/use-preset-name.ts'
import { startExport } from '@/data/exports.ts'
import type { ExportRequest, Exports } from '@/data/types.ts'

interface Props {
  tenant: string
  data: Exports
  /** What is known already: an export that is to be written once more. */
  wanted: Pick<ExportRequest, 'again' | 'what'>
  onStarted: () => Promise<void>
  onClose: () => void
}

/** What is to go out, and how its file looks. */
export function ExportDialog({ tenant, data: { presets, seasons, hasMarket }, wanted, onStarted, onClose }: Props) {
  const { t } = useTranslation('exports')
  const presetName = usePresetName()
  const [what, setWhat] = useState(wanted.what)
  const [season, setSeason] = useState('')
  const [preset, setPreset] = useState(presets[0]?.name ?? '')
  const { again } = wanted
  const isAgain = again !== undefined && again !== null
  const kinds = (['TABLE', 'WITHOUT_JOB', 'MARKET'] as const).filter((kind) => kind !== 'MARKET' || hasMarket)
  return (
    <AskDialog
      title={isAgain ? t('againTitle', { number: again }) : t('new')}
      go={t('start')}
      work={async () => {
        await startExport(tenant, {
          what,
          ...(what !== 'MARKET' && { preset }),
          ...(season && what === 'TABLE' && !isAgain && { season }),
          ...(isAgain && { again }),
        })
        await onStarted()
      }}
      onClose={onClose}
    >
      {isAgain && <p>{t('againText')}</p>}
      {!isAgain && (
        <>
          <p>{t('newText')}</p>
          <SelectField
            name="what"
            label={t('list')}
            value={what}
            onChange={({ target }) => setWhat(kinds.find((kind) => kind === target.value) ?? 'TABLE')}
          >
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`lists.${kind}`)}
              </option>
            ))}
          </SelectField>
          {what === 'TABLE' && seasons.length > 0 && (
            <SelectField
              name="season"
              label={t('season')}
              value={season}
              onChange={({ target }) => setSeason(target.value)}
            >
              <option value="">{t('allSeasons')}</option>
              {seasons.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
        </>
      )}
      {what !== 'MARKET' && (
        <SelectField
          name="preset"
          label={t('preset')}
          descriptiveText={t('presetText')}
          value={preset}
          onChange={({ target }) => setPreset(target.value)}
        >
          {presets.map(({ name, format }) => (
            <option key={name} value={name}>
              {presetName(name)} ({format.toUpperCase()})
            </option>
          ))}
        </SelectField>
      )}
    </AskDialog>
  )
}
