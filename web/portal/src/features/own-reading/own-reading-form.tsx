import { Button, SelectField, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '@shared/api/client.ts'
import { useProblemText } from '@shared/api/problem.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { MAX_COMMENT, trimmedComment } from '@shared/rules/reading.ts'
import { isMeterValue } from '@shared/rules/value.ts'
import { checkOwn, cleanMeterNumber, MAX_UNKNOWN_IMAGES, ownReadingDates } from '@shared/rules/visitor-reading.ts'
import { Message } from '@shared/ui/message.tsx'
import { notify } from '@shared/ui/notify.ts'
import { useSessions } from '@/auth/sessions.ts'
import { PhotoField } from '@/components/photos/photo-field.tsx'
import { useApplication } from '@/data/application.ts'
import { useToday } from '@/data/today.ts'
import { NO_JOB, refusalError } from '@/device/entry.ts'
import { leaveDelivery } from '@/offline/replay.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { type Begun, type Draft, NOTHING } from './draft.ts'
import { isKnown, type KnownFault, sendUnknown, serverFaults } from './send.ts'
import './own-reading.css'

const TOPIC = 'unknown-reading'

interface Props {
  readonly begun: Begun
  readonly onChange: (change: (begun: Begun) => Begun) => void
  /** The device has no room: only this page has what was typed (D-OUTBOX-7). */
  readonly isUnkept: boolean
  readonly onSent: () => void
  /** The reading waits in the outbox. */
  readonly onQueued: () => void
  readonly onCancel: () => void
}

/** What came back for the draft that was sent; a changed one is judged anew. */
interface Rejection {
  readonly draft: Draft
  readonly faults: readonly KnownFault[]
  readonly error: ApiError
}

/** The reading of a meter for which there is no job (L5). */
export function UnknownReadingForm({ begun, onChange, isUnkept, onSent, onQueued, onCancel }: Props) {
  const { t } = useTranslation('unknownReading')
  const problemText = useProblemText()
  const sessions = useSessions()
  const { features, config } = useApplication()
  const today = useToday()
  const { draft } = begun
  const [wasTried, setTried] = useState(false)
  const [isSending, setSending] = useState(false)
  // A reading that is sent now would go without its photos.
  const [isPreparing, setPreparing] = useState(false)
  const [rejection, setRejection] = useState<Rejection>()
  const form = useRef<HTMLFormElement>(null)
  useUnsentForm(draft !== NOTHING.draft)

  const { queryPostDecimals } = config.meterReading
  const isPhotoRequired = features.unknownReadingsImageRequired
  const [first, last] = ownReadingDates(today)
  const isChoice = sessions.length > 1
  const accountId = isChoice ? draft.accountId : (sessions[0]?.accountId ?? '')
  useEffect(() => () => leaveDelivery([accountId, NO_JOB]), [accountId])
  const readingDate = draft.date ?? today
  const readingValue = draft.value.trim().replace(',', '.')
  const comment = trimmedComment(draft.comment)

  const rejected = rejection?.draft === draft ? rejection : undefined
  const own = faultsOf()
  const faults = [...own, ...(rejected?.faults ?? [])]
  const isIncomplete = own.some(({ code }) => code === 'REQUIRED' || code === 'IMAGE_REQUIRED')

  function faultsOf(): KnownFault[] {
    const reading = {
      meterNumber: draft.meterNumber,
      readingDate,
      comment: comment ?? null,
      imageCount: draft.photos.length,
    }
    const isValue = isMeterValue(readingValue)
    const found: KnownFault[] = checkOwn(
      queryPostDecimals,
      isPhotoRequired,
      { ...reading, readingValue: isValue ? readingValue : '0' },
      today,
    ).filter(isKnown)
    if (!isValue) found.push({ code: readingValue === '' ? 'REQUIRED' : 'CHARACTERS', field: 'readingValue' })
    if (isChoice && !sessions.some((session) => session.accountId === accountId)) {
      found.push({ code: 'REQUIRED', field: 'accountId' })
    }
    // An empty day lies before every other.
    return readingDate === ''
      ? [...found.filter(({ field }) => field !== 'readingDate'), { code: 'REQUIRED', field: 'readingDate' }]
      : found
  }

  /** What is wrong with a field, once the reader has tried to send. */
  function errorOf(field: string): string | undefined {
    const fault = wasTried ? faults.find((candidate) => candidate.field === field) : undefined
    if (!fault) return undefined
    const { code, limit = '' } = fault
    if (field === 'readingValue' && code === 'CHARACTERS') return t('value.notANumber')
    if (code === 'DECIMALS_TOO_MANY' && limit === '0') return t('value.noDecimals')
    return t(`fault.${code}`, { limit: code.startsWith('DATE_') ? formatDate(limit) : limit })
  }

  const field = (name: string) => {
    const errorMessage = errorOf(name)
    return { hasError: errorMessage !== undefined, errorMessage }
  }

  const change = (part: Partial<Draft>) => onChange((begun) => ({ ...begun, draft: { ...begun.draft, ...part } }))

  async function send() {
    setSending(true)
    setRejection(undefined)
    const outgoing = {
      accountId,
      meterNumber: draft.meterNumber,
      readingValue,
      readingDate,
      comment,
      photos: draft.photos,
    }
    const { delivery, attempt } = await sendUnknown(outgoing, begun.attempt)
    if (delivery.state === 'sent') {
      notify({ type: 'success', title: t('sent.title'), message: t('sent.text'), topic: TOPIC })
      onSent()
      return
    }
    if (delivery.state === 'kept') {
      notify({ type: 'error', title: t('failed.title'), message: t('failed.text'), topic: TOPIC })
      onQueued()
      return
    }
    const error = delivery.state === 'refused' ? refusalError(delivery.refusal) : delivery.error
    onChange((begun) => ({ ...begun, attempt }))
    setRejection({ draft, faults: serverFaults(error), error })
    setSending(false)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isSending || isPreparing) return
    flushSync(() => setTried(true))
    if (own.length === 0) void send()
    else form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus()
  }

  const photoError =
    errorOf('readingImages') ?? (rejected?.error.code === 'photo-invalid' ? problemText(rejected.error) : undefined)
  return (
    <form ref={form} className="panel unknown-reading" noValidate onSubmit={submit}>
      <p className="unknown-reading__intro">{t('intro')}</p>
      <fieldset className="unknown-reading__fields" disabled={isSending}>
        {isChoice && (
          <SelectField
            label={t('account.label')}
            placeholder={t('account.choose')}
            value={draft.accountId}
            onChange={(event) => change({ accountId: event.target.value })}
            isRequired
            {...field('accountId')}
          >
            {sessions.map(({ accountId, info }) => (
              <option key={accountId} value={accountId}>
                {info.name}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={t('meterNumber.label')}
          descriptiveText={t('meterNumber.hint')}
          value={draft.meterNumber}
          onChange={(event) => change({ meterNumber: cleanMeterNumber(event.target.value) })}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          isRequired
          {...field('meterNumber')}
        />
        <TextField
          label={t('value.label')}
          descriptiveText={t(queryPostDecimals ? 'value.hint' : 'value.hintWhole')}
          value={draft.value}
          onChange={(event) => change({ value: event.target.value })}
          inputMode={queryPostDecimals ? 'decimal' : 'numeric'}
          autoComplete="off"
          isRequired
          {...field('readingValue')}
        />
        <TextField
          type="date"
          label={t('date.label')}
          descriptiveText={t('date.hint', { first: formatDate(first), last: formatDate(last) })}
          value={readingDate}
          min={first}
          max={last}
          onChange={(event) => change({ date: event.target.value })}
          isRequired
          {...field('readingDate')}
        />
        <div data-invalid={photoError === undefined ? undefined : ''}>
          <h2 className="unknown-reading__photos">
            {t(isPhotoRequired ? 'photos.required' : 'photos.optional', { count: MAX_UNKNOWN_IMAGES })}
          </h2>
          <PhotoField
            label={t('photos.label')}
            most={MAX_UNKNOWN_IMAGES}
            photos={draft.photos}
            onChange={(change) =>
              onChange((begun) => ({ ...begun, draft: { ...begun.draft, photos: change(begun.draft.photos) } }))
            }
            onPreparing={setPreparing}
            error={photoError}
          />
        </div>
        <TextAreaField
          label={t('comment.label')}
          descriptiveText={t('comment.hint', { max: MAX_COMMENT })}
          rows={3}
          value={draft.comment}
          onChange={(event) => change({ comment: event.target.value })}
          {...field('comment')}
        />
      </fieldset>
      {wasTried && isIncomplete && <Message type="error" title={t('fillRequired')} role="alert" />}
      {rejected && rejected.faults.length === 0 && rejected.error.code !== 'session-ended' && (
        <Message type="error" title={problemText(rejected.error)} role="alert">
          <p>{t('retry')}</p>
        </Message>
      )}
      {isUnkept && (
        <Message type="warning" title={t('unkept.title', { ns: 'offline' })} role="alert">
          <p>{t('unkept.text', { ns: 'offline' })}</p>
        </Message>
      )}
      <div className="unknown-reading__end">
        <Button
          type="submit"
          variation="primary"
          size="large"
          isDisabled={isPreparing}
          isLoading={isSending}
          loadingText={t('sending')}
        >
          {t('submit')}
        </Button>
        <Button size="large" isDisabled={isSending} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
