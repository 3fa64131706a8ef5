import { Button, TextField } from '@aws-amplify/ui-react'
import { useEffect, useId, useRef, useState } from 'react'
import { ApiError, PHOTO_STUCK } from '@shared/api/client.ts'
import type { MeterRateTask } from '@shared/contract/types.ts'
import { formatCount, formatDate, formatValue, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type LowerReason, lastEvent } from '@shared/rules/reading.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { focusFault } from '@/components/focus-fault.ts'
import { isOvertaken } from '@/components/late.ts'
import { LowerReasonField } from '@/components/lower-reason.tsx'
import { placeLine } from '@/components/place.ts'
import { rateName, unitOf } from '@/components/rate-name.ts'
import { Reasons } from '@/components/reasons.tsx'
import { stands, useBeforeLine, useWordsAbout } from '@/components/replaced.ts'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { sendPhotos, sendReading } from '@/data/readings.ts'
import type { DeskJob, Entered, EntryChannel } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { isOpen, type Judged, judgeEntry, type Remark } from './judge.ts'
import { PhotoField } from './photo-field.tsx'
import { useAsked } from './use-asked.ts'
import { useFindingText } from './use-finding-text.ts'
import { usePhotos } from './use-photos.ts'

interface Props {
  tenant: string
  job: DeskJob
  channel: EntryChannel
  day: string
  /** It begins to be sent, or was not taken. */
  onSending?: (isSending: boolean) => void
  /** The reading is stored, or was before; photos of one that was are not kept. */
  onStored: (entered: Entered, hasPhotos: boolean) => void
  /** Another reading came there meanwhile: the job is to be fetched anew. */
  onOvertaken: () => void
}

/** What is wrong with the entry as a whole. */
const ABOUT_ALL = '.fault[tabindex]'

/** What is wrong with a photo, and not with the reading. */
const PHOTO_CODES = new Set(['photo-invalid', 'upload-missing'])

/** The registers of a meter: Enter goes on, and from the last one sends. */
export function EntryForm({ tenant, job, channel, day, onSending, onStored, onOvertaken }: Props) {
  const { t } = useTranslation('entry')
  const { t: common } = useTranslation()
  const { t: parts } = useTranslation('parts')
  const lang = useStaffLanguage()
  const findingText = useFindingText()
  const [values, setValues] = useState<Record<string, string>>({})
  const [chosen, setChosen] = useState<LowerReason>()
  const [confirmed, setConfirmed] = useState('')
  const [isTried, setTried] = useState(false)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const [lacksPhotos, setLacksPhotos] = useState(false)
  const { imagesForbidden } = job.file.job.config.features
  const pictures = usePhotos(imagesForbidden)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const { meter } = job.file.job
  const judged = judgeEntry(job, { channel, day, values, chosen })
  const asked = useAsked(day, judged)
  const replaces = judged.replaced.map(({ id }) => id)
  /** No reason helps. */
  const isClosed = judged.errors.some(({ code }) => code === 'WINDOW_NOT_OPEN')
  const needsLate = !isClosed && (judged.isLate || asked.late || replaces.length > 0)
  const [late, setLate] = useWordsAbout(replaces.join(' '))
  /** Nor does one where a value is refused. */
  const needsWhy =
    judged.errors.length === 0 && (judged.warnings.some((warning) => isOpen(warning, judged)) || asked.why)
  const lateText = replaces.length > 0 ? 'lateRejected' : 'late'
  const why = needsWhy
    ? confirmed.trim()
    : judged.warnings.length > 0 && parts(`lowerReason.${judged.reason ?? 'none'}`)
  // While the member types, the other registers are yet to come.
  const said = isTried ? judged.warnings : judged.warnings.filter(({ code }) => code !== 'INCOMPLETE')
  const isComplete =
    judged.values.length > 0 &&
    judged.errors.length === 0 &&
    judged.unreadable.length === 0 &&
    (!needsWhy || confirmed.trim() !== '') &&
    (!needsLate || late.trim() !== '')

  const send = async (photos: readonly Blob[]) => {
    if (isSending || pictures.isPreparing) return
    setTried(true)
    if (!isComplete) {
      // The first empty or wrong field is where to go on.
      focusFault(form.current, isClosed ? ABOUT_ALL : `[aria-invalid=true], input[data-empty], ${ABOUT_ALL}`)
      return
    }
    setSending(true)
    onSending?.(true)
    setError(undefined)
    setLacksPhotos(photos.length > 0)
    try {
      const { id } = job.file.job
      const images = await sendPhotos(tenant, id, photos)
      setLacksPhotos(false)
      const entry = {
        job: id,
        channel,
        readingDate: day,
        values: [...judged.values],
        images,
        ...(judged.reason && { lowerReason: judged.reason }),
        ...(why && { confirmed: why }),
        ...(needsLate && { late: late.trim() }),
        replaces,
        lang,
      }
      onStored(await sendReading(tenant, entry, photos), photos.length > 0)
    } catch (failure) {
      setError(failure)
      setSending(false)
      onSending?.(false)
      asked.note(failure)
      if (isOvertaken(failure)) onOvertaken()
    }
  }

  const blobs = pictures.photos.map(({ blob }) => blob)
  const isOfPhotos = lacksPhotos || (error instanceof ApiError && PHOTO_CODES.has(error.code))
  return (
    <form
      ref={form}
      className="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send(blobs)
      }}
      noValidate
      aria-label={t('form')}
    >
      <h2>
        {common(`meterType.${meter.meterType}`)} <span className="identifier">{meter.meterNumber}</span>&nbsp;·{' '}
        {job.name}
      </h2>
      <p className="soft">{placeLine(job.file.place)}</p>
      {meter.meterRateTasks.map((task) => (
        <Register
          key={task.taskId}
          task={task}
          job={job}
          day={day}
          judged={judged}
          refusal={asked.faultOf(task.taskId)}
          isTried={isTried}
          text={values[task.taskId] ?? ''}
          onChange={(text) => setValues({ ...values, [task.taskId]: text })}
        />
      ))}
      <div role="status">
        {[...judged.errors, ...said]
          .filter(({ taskId }) => taskId === undefined)
          .map((finding) => (
            <p key={finding.code} className={classOf(finding)} tabIndex={-1}>
              {findingText(job, day, judged, finding)}
            </p>
          ))}
      </div>
      <LowerReasonField reason={judged.reason} lower={judged.lower.length > 0} onChange={setChosen} />
      {needsWhy && (asked.why || said.some((warning) => isOpen(warning, judged))) && (
        <Why label={t('confirm')} name="confirmed" text={confirmed} isTried={isTried} onChange={setConfirmed} />
      )}
      {needsLate && (
        <Why
          label={t(judged.replaced.some(stands) ? 'lateAgain' : lateText)}
          name="late"
          text={late}
          isTried={isTried}
          onChange={setLate}
        />
      )}
      {!imagesForbidden && <PhotoField {...pictures} />}
      {isTried && judged.values.length === 0 && judged.unreadable.length === 0 && (
        <p className="fault" role="alert">
          {t('empty')}
        </p>
      )}
      <SendFault error={error} isOfPhotos={isOfPhotos} onWithout={() => void send([])} />
      <BusyButton type="submit" variation="primary" isLoading={isSending}>
        {t('send')}
      </BusyButton>
    </form>
  )
}

interface SendFaultProps {
  error: unknown
  isOfPhotos: boolean
  /** Sends it without photos. */
  onWithout: () => void
}

/** Why it was not taken. */
function SendFault({ error, isOfPhotos, onWithout }: SendFaultProps) {
  const { t } = useTranslation('entry')
  const problemText = useDeskProblemText()
  if (error === undefined) return null
  // The text of the code is for customers, and of one photo.
  const isStuck = error instanceof ApiError && error.code === PHOTO_STUCK
  return (
    <Message type="error" role="alert">
      <p>
        {isOfPhotos && t('photos.failed')} {isStuck ? t('photos.stuck') : problemText(error)}
      </p>
      <Reasons error={error} />
      {isOfPhotos && <Button onClick={onWithout}>{t('photos.sendWithout')}</Button>}
    </Message>
  )
}

interface WhyProps {
  label: string
  name: string
  text: string
  /** The member tried to send. */
  isTried: boolean
  onChange: (text: string) => void
}

/** Words that are needed. */
function Why({ label, name, text, isTried, onChange }: WhyProps) {
  const { t } = useTranslation('entry')
  return (
    <TextField
      label={label}
      name={name}
      maxLength={1000}
      value={text}
      hasError={isTried && text.trim() === ''}
      errorMessage={t('needed')}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

const classOf = ({ severity }: Remark) => (severity === 'error' ? 'fault' : 'doubt')

interface RegisterProps {
  task: MeterRateTask
  job: DeskJob
  day: string
  judged: Judged
  /** What the server says against what stands here. */
  refusal: string | undefined
  /** The member tried to send. */
  isTried: boolean
  text: string
  onChange: (text: string) => void
}

/** One register: its field, what it showed last, and what there is to say about what is typed. */
function Register({ task, job, day, judged, refusal, isTried, text, onChange }: RegisterProps) {
  const { t } = useTranslation('entry')
  const { t: common } = useTranslation()
  const findingText = useFindingText()
  const { taskId } = task
  const isUnreadable = judged.unreadable.includes(taskId)
  const own = [...judged.errors, ...judged.warnings].filter((finding) => finding.taskId === taskId)
  const beforeLine = useBeforeLine()
  const before = judged.replaced.filter((reading) => reading.taskId === taskId && !stands(reading))
  const isWrong = refusal !== undefined || isUnreadable || own.some(({ severity }) => severity === 'error')
  const id = useId()
  const [hintId, saidId] = [`${id}-hint`, `${id}-said`]
  const last = lastEvent(task)
  const present = task.readingResults.at(-1)
  const expected = job.file.expected[taskId]
  const unit = unitOf(task)
  const isNameless = !task.rateName && job.file.job.meter.meterRateTasks.length === 1
  const name = isNameless ? t('value') : rateName(task, common)
  const known = [
    last && t('last', { value: withUnit(formatValue(last.readingValue), unit), day: formatDate(last.readingDate) }),
    expected &&
      t('expected', {
        value: withUnit(formatCount(Math.round(Number(expected.from) + Number(expected.consumption))), unit),
      }),
    present &&
      t('present', {
        value: withUnit(formatValue(present.readingValue), unit),
        day: formatDate(present.readingDate),
      }),
  ]
  const hint = known.filter(Boolean).join(' · ')
  return (
    <div className="entry-form__register">
      <TextField
        label={unit ? `${name} (${unit})` : name}
        name={`value-${taskId}`}
        inputMode="decimal"
        autoComplete="off"
        descriptiveText={hint && <span id={hintId}>{hint}</span>}
        aria-describedby={`${hintId} ${saidId}`}
        value={text}
        data-empty={text ? undefined : ''}
        hasError={isTried && isWrong}
        onChange={({ target }) => onChange(target.value)}
      />
      <div id={saidId} role="status">
        {refusal !== undefined && <p className="fault">{refusal}</p>}
        {isUnreadable && <p className="fault">{t('unreadable')}</p>}
        {before.map((reading) => (
          <p key={reading.id} className="doubt">
            {beforeLine(job.file, reading)}
          </p>
        ))}
        {own.map((finding) => (
          <p key={finding.code} className={classOf(finding)}>
            {findingText(job, day, judged, finding)}
          </p>
        ))}
      </div>
    </div>
  )
}
