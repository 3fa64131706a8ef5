import { Button, TextField } from '@aws-amplify/ui-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import type { MeterRateTask } from '@shared/contract/types.ts'
import { formatCount, formatDate, formatValue, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { lastEvent } from '@shared/rules/reading.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { placeLine } from '@/components/place.ts'
import { rateName, unitOf } from '@/components/rate-name.ts'
import { sendPhotos, sendReading } from '@/data/readings.ts'
import type { DeskJob, Entered, EntryChannel } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { type Judged, judgeEntry } from './judge.ts'
import { PhotoField } from './photo-field.tsx'
import { useFindingText } from './use-finding-text.ts'
import { usePhotos } from './use-photos.ts'

interface Props {
  tenant: string
  job: DeskJob
  channel: EntryChannel
  day: string
  /** The reading is stored, or was before; photos of one that was are not kept. */
  onStored: (entered: Entered, hasPhotos: boolean) => void
}

/** What is wrong with a photo, and not with the reading. */
const PHOTO_CODES = new Set(['photo-invalid', 'upload-missing'])

/** The registers of a meter: Enter goes on, and from the last one sends. */
export function EntryForm({ tenant, job, channel, day, onStored }: Props) {
  const { t } = useTranslation('entry')
  const { t: common } = useTranslation()
  const problemText = useDeskProblemText()
  const findingText = useFindingText()
  const [values, setValues] = useState<Record<string, string>>({})
  const [confirmed, setConfirmed] = useState('')
  const [late, setLate] = useState('')
  const [isTried, setTried] = useState(false)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const [lacksPhotos, setLacksPhotos] = useState(false)
  const { imagesForbidden } = job.file.job.config.features
  const pictures = usePhotos(imagesForbidden)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const { meter } = job.file.job
  const judged = judgeEntry(job, { day, values })
  const asksLate = judged.isLate || (error instanceof ApiError && error.code === 'read-already')
  const asksWhy = judged.warnings.length > 0 || (error instanceof ApiError && error.code === 'confirmation-required')
  const isComplete =
    judged.values.length > 0 &&
    judged.errors.length === 0 &&
    judged.unreadable.length === 0 &&
    (!asksWhy || confirmed.trim() !== '') &&
    (!asksLate || late.trim() !== '')

  const send = async (photos: readonly Blob[]) => {
    if (isSending || pictures.isPreparing) return
    setTried(true)
    if (!isComplete) {
      // The first empty or wrong field is where to go on.
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid=true], input[data-empty]')?.focus(),
      )
      return
    }
    setSending(true)
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
        ...(asksWhy && { confirmed: confirmed.trim() }),
        ...(asksLate && { late: late.trim() }),
      }
      onStored(await sendReading(tenant, entry, photos), photos.length > 0)
    } catch (failure) {
      setError(failure)
      setSending(false)
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
        {common(`meterType.${meter.meterType}`)} <span className="identifier">{meter.meterNumber}</span> · {job.name}
      </h2>
      <p className="soft">{placeLine(job.file.place)}</p>
      {meter.meterRateTasks.map((task) => (
        <Register
          key={task.taskId}
          task={task}
          job={job}
          day={day}
          judged={judged}
          isTried={isTried}
          text={values[task.taskId] ?? ''}
          onChange={(text) => setValues({ ...values, [task.taskId]: text })}
        />
      ))}
      {judged.errors
        .filter(({ taskId }) => taskId === undefined)
        .map((finding) => (
          <p key={finding.code} role="status" className="fault">
            {findingText(job, day, judged, finding)}
          </p>
        ))}
      {asksWhy && (
        <TextField
          label={t('confirm')}
          name="confirmed"
          maxLength={1000}
          value={confirmed}
          hasError={isTried && confirmed.trim() === ''}
          errorMessage={t('needed')}
          onChange={({ target }) => setConfirmed(target.value)}
        />
      )}
      {asksLate && (
        <TextField
          label={t(job.file.state === 'done' ? 'lateAgain' : 'late')}
          name="late"
          maxLength={1000}
          value={late}
          hasError={isTried && late.trim() === ''}
          errorMessage={t('needed')}
          onChange={({ target }) => setLate(target.value)}
        />
      )}
      {!imagesForbidden && <PhotoField {...pictures} />}
      {isTried && judged.values.length === 0 && judged.unreadable.length === 0 && (
        <p className="fault" role="alert">
          {t('empty')}
        </p>
      )}
      {error !== undefined && (
        <Message type="error" role="alert">
          <p>
            {isOfPhotos && t('photos.failed')} {problemText(error)}
          </p>
          {error instanceof ApiError &&
            error.fieldErrors.map(({ message }) => (
              <p key={message} lang="en">
                {message}
              </p>
            ))}
          {isOfPhotos && <Button onClick={() => void send([])}>{t('photos.sendWithout')}</Button>}
        </Message>
      )}
      <BusyButton type="submit" variation="primary" isLoading={isSending}>
        {t('send')}
      </BusyButton>
    </form>
  )
}

interface RegisterProps {
  task: MeterRateTask
  job: DeskJob
  day: string
  judged: Judged
  /** Somebody tried to send. */
  isTried: boolean
  text: string
  onChange: (text: string) => void
}

/** One register: its field, what it showed last, and what there is to say about what is typed. */
function Register({ task, job, day, judged, isTried, text, onChange }: RegisterProps) {
  const { t } = useTranslation('entry')
  const { t: common } = useTranslation()
  const findingText = useFindingText()
  const { taskId } = task
  const isUnreadable = judged.unreadable.includes(taskId)
  const own = [...judged.errors, ...judged.warnings].filter((finding) => finding.taskId === taskId)
  const isWrong = isUnreadable || own.some(({ severity }) => severity === 'error')
  const last = lastEvent(task)
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
  ]
  return (
    <div className="entry-form__register">
      <TextField
        label={unit ? `${name} (${unit})` : name}
        name={`value-${taskId}`}
        inputMode="decimal"
        autoComplete="off"
        descriptiveText={known.filter(Boolean).join(' · ')}
        value={text}
        data-empty={text ? undefined : ''}
        hasError={isTried && isWrong}
        onChange={({ target }) => onChange(target.value)}
      />
      {isUnreadable && (
        <p role="status" className="fault">
          {t('unreadable')}
        </p>
      )}
      {own.map((finding) => (
        <p key={finding.code} role="status" className={finding.severity === 'error' ? 'fault' : 'doubt'}>
          {findingText(job, day, judged, finding)}
        </p>
      ))}
    </div>
  )
}
