import { Button, SelectField, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useApplication } from '@/api/application.ts'
import { ApiError } from '@/api/client.ts'
import { useProblemText } from '@/api/problem.ts'
import { useSessions } from '@/auth/sessions.ts'
import { PhotoField } from '@/features/photos/photo-field.tsx'
import { formatDate } from '@/i18n/format.ts'
import { useToday } from '@/i18n/today.ts'
import type { Photo } from '@/offline/photo.ts'
import { MAX_COMMENT, trimmedComment } from '@/rules/reading.ts'
import { checkOwn, cleanMeterNumber, MAX_UNKNOWN_IMAGES, ownReadingDates } from '@/rules/unknown-reading.ts'
import { isMeterValue } from '@/rules/value.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { Message } from '@/ui/message.tsx'
import { notify } from '@/ui/notify.ts'
import { isKnown, type KnownFault, Sender, serverFaults } from './send.ts'
import './unknown-reading.css'

interface Draft {
  readonly accountId: string
  readonly meterNumber: string
  readonly value: string
  /** As the field has it; today as long as nobody chose. */
  readonly date: string | undefined
  readonly comment: string
  readonly photos: readonly Photo[]
}

const EMPTY: Draft = { accountId: '', meterNumber: '', value: '', date: undefined, comment: '', photos: [] }

/** What came back for the draft that was sent; a changed one is judged anew. */
interface Rejection {
  readonly draft: Draft
  readonly faults: readonly KnownFault[]
  readonly error: ApiError
}

/** The reading of a meter for which there is no job (L5). */
export function UnknownReadingForm({ onSent, onCancel }: { onSent: () => void; onCancel: () => void }) {
  const { t } = useTranslation('unknownReading')
  const problemText = useProblemText()
  const sessions = useSessions()
  const { features, config } = useApplication()
  const today = useToday()
  const [sender] = useState(() => new Sender())
  const [draft, setDraft] = useState(EMPTY)
  const [wasTried, setTried] = useState(false)
  const [isSending, setSending] = useState(false)
  const [rejection, setRejection] = useState<Rejection>()
  const form = useRef<HTMLFormElement>(null)
  useUnsentForm(draft !== EMPTY)

  const { queryPostDecimals } = config.meterReading
  const isPhotoRequired = features.unknownReadingsImageRequired
  const [first, last] = ownReadingDates(today)
  const isChoice = sessions.length > 1
  const accountId = isChoice ? draft.accountId : (sessions[0]?.accountId ?? '')
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

  const change = (part: Partial<Draft>) => setDraft((draft) => ({ ...draft, ...part }))

  async function send() {
    setSending(true)
    setRejection(undefined)
    try {
      await sender.send({
        accountId,
        meterNumber: draft.meterNumber,
        readingValue,
        readingDate,
        comment,
        photos: draft.photos,
      })
      notify({ type: 'success', title: t('sent.title'), message: t('sent.text'), topic: 'unknown-reading' })
      onSent()
    } catch (error) {
      const known = error instanceof ApiError ? error : new ApiError('internal-error')
      setRejection({ draft, faults: serverFaults(known), error: known })
      setSending(false)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isSending) return
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
            onChange={(change) => setDraft((draft) => ({ ...draft, photos: change(draft.photos) }))}
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
      <div className="unknown-reading__end">
        <Button type="submit" variation="primary" size="large" isLoading={isSending} loadingText={t('sending')}>
          {t('submit')}
        </Button>
        <Button size="large" isDisabled={isSending} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
