import { CheckboxField, SelectField, TextField } from '@aws-amplify/ui-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { dayIn } from '@shared/rules/window.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { focusFault } from '@/components/focus-fault.ts'
import { Going } from '@/components/runs/going.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { rehearse } from '@/data/imports.ts'
import { isOpen } from '@/data/runs.ts'
import { CHANNELS, type EntryChannel, type ImportFile, type RehearsalRequest, type Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { ColumnTable } from './column-table.tsx'
import { Constants } from './constants.tsx'
import { KeptMappings } from './kept-mappings.tsx'
import { isSaid, lacking, type Mapping } from './mapping.ts'
import { Rehearsed } from './rehearsed.tsx'
import { SeasonField } from './season-field.tsx'
import { Writing } from './writing.tsx'

interface Props {
  tenant: string
  file: ImportFile
  reload: () => Promise<unknown>
}

/** What was asked for the last time, or what the table suggests. */
function beginning(file: ImportFile): Settings {
  const last = file.runs.find(({ source }) => source?.file === file.id)
  const suggested = file.suggested as unknown as Mapping
  if (!last?.source) {
    const season = file.isTable && isSaid(suggested, 'season') ? '' : current(file.seasons)
    return { mapping: suggested, season, closesMissing: false, channel: 'CARD', late: '' }
  }
  const { mapping, closesMissing, channel, late } = last.source
  return {
    mapping: (mapping as unknown as Mapping | undefined) ?? suggested,
    season: last.season ?? '',
    closesMissing,
    channel: CHANNELS.find((one) => one === channel) ?? 'CARD',
    late: late ?? '',
  }
}

/** The one season that is not over; none: there are several, or none. */
function current(seasons: ImportFile['seasons']): string {
  const today = dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date())
  const [first, ...more] = seasons.filter(({ lastDay }) => lastDay >= today)
  return first && more.length === 0 ? first.id : ''
}

interface Settings {
  mapping: Mapping
  season: string
  closesMissing: boolean
  channel: EntryChannel
  late: string
}

/** How a file is imported, what that would do, and doing it. */
export function FileForm({ tenant, file, reload }: Props) {
  const { t } = useTranslation('imports')
  const problemText = useDeskProblemText()
  const language = useStaffLanguage()
  const [settings, setSettings] = useState(() => beginning(file))
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [isTried, setTried] = useState(false)
  const { mapping, season, closesMissing, channel, late } = settings
  const going = file.runs.find(isOpen)
  const done = file.runs.find((run) => run.source?.file === file.id && !isOpen(run))
  const wanted: RehearsalRequest = {
    file: file.id,
    ...(file.isTable && { mapping }),
    ...(file.kind === 'JOBS' && { ...(season !== '' && { season }), closesMissing }),
    ...(file.kind === 'READINGS' && { channel, ...(late.trim() !== '' && { late: late.trim() }) }),
    lang: language,
  }
  const missing = file.isTable ? lacking(mapping, file.fields) : []
  const change = (changed: Partial<Settings>) => setSettings({ ...settings, ...changed })
  const setMapping = (changed: Mapping) => change({ mapping: changed })
  const isInLines = !file.isTable || isSaid(mapping, 'season')
  const lacksSeason = file.kind === 'JOBS' && season === '' && file.seasons.length > 0 && (closesMissing || !isInLines)
  const whole = useRef<HTMLElement>(null)
  const outcome = useRef<HTMLDivElement>(null)
  const shown = useRef(done?.id)
  useEffect(() => {
    // What came out is below a long table: the member who waited for it is brought there.
    if (done && done.id !== shown.current) {
      outcome.current?.scrollIntoView({ block: 'start' })
      outcome.current?.querySelector('h2')?.focus({ preventScroll: true })
    }
    shown.current = done?.id
  }, [done])

  const start = async () => {
    setFailure(undefined)
    setTried(true)
    if (lacksSeason) {
      focusFault(whole.current)
      return
    }
    setBusy(true)
    try {
      await rehearse(tenant, wanted)
      await reload()
    } catch (caught) {
      // A season that a colleague has made since can be chosen.
      if (isOfSeason(caught)) await reload()
      setFailure(caught)
    }
    setBusy(false)
  }
  return (
    <>
      {file.isTable ? (
        <section className="fields" aria-labelledby="columns">
          <h2 id="columns">{t('columns')}</h2>
          <p className="soft">
            {file.suggestedOf ? t('columnsAsBefore', { file: file.suggestedOf }) : t('columnsText')}
          </p>
          <KeptMappings tenant={tenant} file={file} mapping={mapping} onChange={setMapping} reload={reload} />
          <ColumnTable file={file} mapping={mapping} onChange={setMapping} />
          <Constants fields={file.fields} mapping={mapping} onChange={setMapping} />
          <Writing mapping={mapping} onChange={setMapping} />
        </section>
      ) : (
        <Message type="info">{t('lines')}</Message>
      )}
      <section ref={whole} className="fields" aria-labelledby="whole">
        <h2 id="whole">{t('whole')}</h2>
        {file.kind === 'JOBS' && (
          <SeasonField
            tenant={tenant}
            seasons={file.seasons}
            value={season}
            isInLines={isInLines}
            isLacking={isTried && lacksSeason}
            onChange={(chosen) => change({ season: chosen })}
            reload={reload}
          />
        )}
        {file.kind === 'JOBS' && !file.columns.some(({ isAdded }) => isAdded) && (
          <CheckboxField
            name="closesMissing"
            label={t('closesMissing')}
            checked={closesMissing}
            onChange={({ target }) => change({ closesMissing: target.checked })}
          />
        )}
        {file.kind === 'READINGS' && (
          <>
            <SelectField
              name="channel"
              label={t('channel')}
              value={channel}
              onChange={({ target }) => change({ channel: CHANNELS.find((one) => one === target.value) ?? 'CARD' })}
            >
              {CHANNELS.map((one) => (
                <option key={one} value={one}>
                  {t(`channels.${one}`)}
                </option>
              ))}
            </SelectField>
            <TextField
              name="late"
              label={t('late')}
              maxLength={200}
              value={late}
              onChange={({ target }) => change({ late: target.value })}
            />
          </>
        )}
        {missing.length > 0 && (
          <Message type="warning">
            {t('lacking')}{' '}
            {missing.map(({ name, label }, index) => (
              <span key={name}>
                {index > 0 && ', '}
                <RunText text={label} />
              </span>
            ))}
          </Message>
        )}
        <div className="row-of">
          <BusyButton
            {...(!done && { variation: 'primary' })}
            isOff={going !== undefined}
            isLoading={isBusy}
            onClick={() => void start()}
          >
            {t('rehearse')}
          </BusyButton>
          <span className="soft">{t('rehearseText')}</span>
        </div>
        {failure !== undefined && (
          <Message type="error" role="alert">
            {isOfSeason(failure) ? t('seasonNeeded') : problemText(failure)}
          </Message>
        )}
      </section>
      {going && <Going tenant={tenant} known={going} onOver={() => void reload()} />}
      <div ref={outcome}>
        {done && !going && (
          <Rehearsed tenant={tenant} run={done} isStale={!isOf(done, wanted, file.isTable)} reload={reload} />
        )}
      </div>
    </>
  )
}

const isOfSeason = (failure: unknown) =>
  failure instanceof ApiError && failure.fieldErrors.some(({ field }) => field === 'season')

/** Whether a run was asked for with just this. */
function isOf({ source, season }: Run, wanted: RehearsalRequest, isTable: boolean): boolean {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, member]) => [name, sorted(member)]),
        )
      : value
  const same = (one: unknown, other: unknown) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
  return (
    source !== undefined &&
    source !== null &&
    (!isTable || same(source.mapping, wanted.mapping)) &&
    (season ?? '') === (wanted.season ?? '') &&
    source.closesMissing === (wanted.closesMissing ?? false) &&
    (source.channel ?? '') === (wanted.channel ?? '') &&
    (source.late ?? '') === (wanted.late ?? '')
  )
}
