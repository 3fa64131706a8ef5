import { Button } from '@aws-amplify/ui-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '@shared/api/client.ts'
import { useProblemText } from '@shared/api/problem.ts'
import type { Job } from '@shared/contract/types.ts'
import { check, type Finding, MAX_IMAGES } from '@shared/rules/reading.ts'
import { type IsoDate, readingDates } from '@shared/rules/window.ts'
import { Message } from '@shared/ui/message.tsx'
import { notify } from '@shared/ui/notify.ts'
import { type Entry, valueOf } from '@/components/counter/entry.ts'
import { prepare } from '@/components/photos/prepare.ts'
import { refusalError } from '@/device/entry.ts'
import type { Photo } from '@/device/photo.ts'
import { readPhoto, useReadsPhotos } from '@/offline/photo-reading.ts'
import { leaveDelivery } from '@/offline/replay.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { begunEntry, keepEntry } from './begun.ts'
import { CommentField } from './comment-field.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type Draft, EMPTY_DRAFT, outgoingResults, rateDraft, submissionOf, withRate } from './draft.ts'
import { useFindingText } from './finding-text.ts'
import { type Rate, useRates } from './rate.ts'
import { RateEntry } from './rate-entry.tsx'
import { ReadingDate } from './reading-date.tsx'
import { entryOf, type RemoteReading, useRemoteReading } from './remote.ts'
import { sendReading, serverFindings, taskOfFaultyPhoto } from './send.ts'
import { useSettled } from './use-settled.ts'
import './reading-form.css'

interface Props {
  readonly job: Job
  readonly today: IsoDate
  /** The server took the readings; the job in the cache is its answer. */
  readonly onSent: () => void
  /** The readings wait in the outbox. */
  readonly onQueued: () => void
  /** Back to what was sent before; absent while there is nothing to go back to. */
  readonly onCancel: (() => void) | undefined
}

/** What came back in place of the updated job. */
interface Rejection {
  /** The draft that was sent; a changed one is judged anew. */
  readonly draft: Draft
  readonly findings: readonly Finding[]
  readonly photoTaskId: string | undefined
  readonly error: ApiError
}

const isEmpty = ({ pre, post }: Entry) => pre === '' && post === ''
const isWarning = ({ severity }: Finding) => severity === 'warning'
const isSame = (a: Finding) => (b: Finding) => a.code === b.code && a.taskId === b.taskId

/** The login is over: the portal says so itself, and a later try from this form cannot help. */
const hasEnded = (error: ApiError) => error.code === 'session-ended'

/** The entry of a job's readings (L4). */
export function ReadingForm({ job, today, onSent, onQueued, onCancel }: Props) {
  const { t } = useTranslation('reading')
  const findingText = useFindingText()
  const problemText = useProblemText()
  const titleId = useId()
  const reasonId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [begun] = useState(() => begunEntry(job))
  const [draft, setDraft] = useState(begun.draft)
  const [attempt, setAttempt] = useState(begun.attempt)
  const [isUnkept, setUnkept] = useState(false)
  const [isSending, setSending] = useState(false)
  const [toConfirm, setToConfirm] = useState<readonly Finding[]>()
  const [rejection, setRejection] = useState<Rejection>()
  /** The rates in whose photos the counter is being looked for. */
  const [looking, setLooking] = useState<readonly string[]>([])
  /** The rates whose photos are being prepared: a reading that is sent now would go without them. */
  const [preparing, setPreparing] = useState<readonly string[]>([])
  const readsPhotos = useReadsPhotos(job)
  // The day was replaced while the button was on its way down: the reader has not seen yet what would be sent.
  const isDateUnseen = useRef(false)
  const { settled, settle } = useSettled(draft, job.config.meterReading.validationFeedbackDelay)

  useEffect(() => {
    // While it is sent it belongs to the outbox.
    if (isSending || (draft === begun.draft && attempt === begun.attempt)) return
    keepEntry(job, { draft, attempt }).then(
      () => setUnkept(false),
      () => setUnkept(true),
    )
  }, [job, draft, attempt, begun, isSending])

  useUnsentForm(draft !== EMPTY_DRAFT)
  useEffect(() => () => leaveDelivery([job.login, job.id]), [job.login, job.id])

  const rates = useRates(job)
  const submission = submissionOf(job, draft, today)
  const rejected = rejection?.draft === draft ? rejection : undefined
  const own = check(job, submission, today)
  const findings = [...own, ...(rejected?.findings.filter((finding) => !own.some(isSame(finding))) ?? [])]
  // What a comment is asked for does not change by its being there.
  const uncommented = draft.comment ? check(job, submissionOf(job, { ...draft, comment: '' }, today), today) : findings
  const errors = findings.filter(({ severity }) => severity === 'error')
  const info = findings.find(({ severity }) => severity === 'info')

  const isRateSettled = (taskId: string) =>
    valueOf(rateDraft(draft, taskId).entry) === valueOf(rateDraft(settled, taskId).entry)
  const isSettled = (finding: Finding) =>
    finding.field === 'comment'
      ? draft.comment === settled.comment
      : finding.taskId === undefined || isRateSettled(finding.taskId)
  const missing = rates.filter(
    ({ result, task }) => !result && valueOf(rateDraft(draft, task.taskId).entry) === undefined,
  )
  const reasonOf = (finding: Finding) => {
    // There is one comment for all rates.
    const isOfRate = rates.length > 1 && finding.field !== 'comment'
    const name = rates.find(({ task }) => isOfRate && task.taskId === finding.taskId)?.name
    return name ? `${name}: ${findingText(finding)}` : findingText(finding)
  }
  const isPreparing = preparing.length > 0
  const reasons = new Set(errors.filter(isSettled).map(reasonOf))
  if (isPreparing) reasons.add(t('preparing', { ns: 'photos' }))

  const topic = `reading/${job.id}`

  /** Fills in what is still empty; what the reader has typed is theirs. */
  async function receive({ meterNumber, results }: RemoteReading) {
    let taken = 0
    const isOurs = !isSending && (meterNumber === undefined || meterNumber === job.meter.meterNumber)
    for (const { obis, value, photos } of isOurs ? results : []) {
      const rate = rates.find(({ task }) => task.obis === obis)
      if (!rate) continue
      const { taskId } = rate.task
      const entry = value === undefined ? undefined : entryOf(value, rate.digits)
      if (entry && valueOf(rateDraft(draft, taskId).entry) === undefined) {
        setDraft((draft) => withRate(draft, taskId, { entry }))
        taken += 1
      }
      for (const photo of job.config.features.imagesForbidden ? [] : photos.slice(0, MAX_IMAGES)) {
        const prepared = await prepare(photo).catch(() => undefined)
        if (!prepared || !('photo' in prepared)) continue
        const added = { id: crypto.randomUUID(), blob: prepared.photo }
        setDraft((draft) => {
          const { photos } = rateDraft(draft, taskId)
          return photos.length < MAX_IMAGES ? withRate(draft, taskId, { photos: [...photos, added] }) : draft
        })
        taken += 1
      }
    }
    if (taken > 0) notify({ type: 'info', title: t('remote.title'), message: t('remote.text'), topic })
    else notify({ type: 'warning', title: t('remote.noneTitle'), message: t('remote.none'), topic })
  }
  useRemoteReading((reading) => void receive(reading))

  /** Fills in what a photo shows, as long as the reader has typed nothing; it is theirs to correct and to send. */
  async function look({ task: { taskId }, digits }: Rate, photo: Photo) {
    setLooking((others) => [...others, taskId])
    const value = await readPhoto(job, taskId, photo)
    setLooking((all) => all.toSpliced(all.indexOf(taskId), 1))
    const entry = value === undefined ? undefined : entryOf(value, digits)
    if (!entry) return
    setDraft((draft) => {
      const { entry: typed, photos } = rateDraft(draft, taskId)
      const isFree = isEmpty(typed) && photos.some(({ id }) => id === photo.id)
      return isFree ? withRate(draft, taskId, { entry, proposed: valueOf(entry) }) : draft
    })
  }

  async function send(confirmed: boolean) {
    setToConfirm(undefined)
    setSending(true)
    setRejection(undefined)
    const results = outgoingResults(job, draft)
    const outgoing = { readingDate: submission.readingDate, results, confirmed }
    const { delivery, attempt: made } = await sendReading(job, outgoing, attempt)
    const notSent = () => notify({ type: 'error', title: t('notice.failedTitle'), message: t('notice.failed'), topic })
    if (delivery.state === 'sent') {
      notify({ type: 'success', title: t('notice.sentTitle'), message: t('notice.sent'), topic })
      onSent()
      return
    }
    if (delivery.state === 'kept') {
      notSent()
      onQueued()
      return
    }
    const error = delivery.state === 'refused' ? refusalError(delivery.refusal) : delivery.error
    const remarks = serverFindings(error, job, results)
    setUnkept(delivery.state === 'unkept')
    setAttempt(made)
    setRejection({ draft, findings: remarks, photoTaskId: taskOfFaultyPhoto(error, results), error })
    setSending(false)
    const warnings = remarks.filter(isWarning)
    if (error.code === 'confirmation-required' && warnings.length > 0) setToConfirm(warnings)
    else if (!hasEnded(error)) notSent()
  }

  function seeDate() {
    isDateUnseen.current = false
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    settle()
    if (errors.length > 0 || isPreparing || isSending || isDateUnseen.current) return
    const warnings = findings.filter(isWarning)
    if (warnings.length > 0) setToConfirm(warnings)
    else void send(false)
  }

  function correct() {
    const [first] = [
      ...(toConfirm?.flatMap(({ taskId }) => taskId ?? []) ?? []),
      ...missing.map(({ task }) => task.taskId),
    ]
    // The dialog gives the focus back to the button when it closes; only then can the field have it.
    flushSync(() => setToConfirm(undefined))
    if (first) form.current?.querySelector<HTMLInputElement>(`[data-task="${CSS.escape(first)}"] input`)?.focus()
  }

  const commentFinding = findings.find((finding) => finding.field === 'comment' && isSettled(finding))
  return (
    <section className="panel" aria-labelledby={titleId}>
      <h2 id={titleId} className="reading__title" tabIndex={-1}>
        {onCancel ? t('form.titleAgain') : t('form.title')}
      </h2>
      {info && (
        <Message type="info">
          <p>{findingText(info)}</p>
        </Message>
      )}
      <form
        ref={form}
        className="reading-form"
        noValidate
        onSubmit={submit}
        onPointerDownCapture={seeDate}
        onKeyDownCapture={seeDate}
      >
        <fieldset className="reading-form__fields" disabled={isSending}>
          {rates.map((rate) => (
            <RateEntry
              key={rate.task.taskId}
              job={job}
              rate={rate}
              draft={rateDraft(draft, rate.task.taskId)}
              onChange={(change) =>
                setDraft((draft) => withRate(draft, rate.task.taskId, change(rateDraft(draft, rate.task.taskId))))
              }
              findings={findings.filter((finding) => finding.taskId === rate.task.taskId && isSettled(finding))}
              isSettled={isRateSettled(rate.task.taskId)}
              onLeave={settle}
              onPhoto={
                readsPhotos && isEmpty(rateDraft(draft, rate.task.taskId).entry)
                  ? (photo) => void look(rate, photo)
                  : undefined
              }
              onPreparing={(isPreparing) =>
                setPreparing((all) =>
                  isPreparing ? [...all, rate.task.taskId] : all.filter((taskId) => taskId !== rate.task.taskId),
                )
              }
              isLooking={looking.includes(rate.task.taskId)}
              readsPhotos={readsPhotos}
              photoError={rejected?.photoTaskId === rate.task.taskId ? problemText(rejected.error) : undefined}
            />
          ))}
          {!job.config.features.hideReadingDateInput && (
            <ReadingDate
              date={submission.readingDate}
              today={today}
              allowed={readingDates(job.jobConstraints, job.config.features, job.config.meterReading, today)}
              onChange={(date) => setDraft((draft) => ({ ...draft, date }))}
              onReset={() => {
                isDateUnseen.current = true
              }}
            />
          )}
          <CommentField
            comment={draft.comment}
            presets={job.config.meterReading.defaultComments}
            isOffered={
              job.config.features.showReadingCommentAllowed ||
              uncommented.some(({ code }) => code === 'IMAGE_OR_COMMENT_REQUIRED')
            }
            isRequired={uncommented.some(({ code }) => code === 'COMMENT_REQUIRED')}
            finding={commentFinding}
            onChange={(comment) => setDraft((draft) => ({ ...draft, comment }))}
          />
        </fieldset>
        {rejected && rejected.findings.length === 0 && rejected.photoTaskId === undefined && (
          <Message type="error" title={problemText(rejected.error)} role="alert">
            {!hasEnded(rejected.error) && <p>{t('form.retry')}</p>}
          </Message>
        )}
        {isUnkept && (
          <Message type="warning" title={t('unkept.title', { ns: 'offline' })} role="alert">
            <p>{t('unkept.text', { ns: 'offline' })}</p>
          </Message>
        )}
        <div className="reading-form__end">
          <Button
            type="submit"
            variation="primary"
            size="large"
            isDisabled={errors.length > 0 || isPreparing}
            isLoading={isSending}
            loadingText={t('form.sending')}
            aria-describedby={reasonId}
          >
            {rates.length > 1 ? t('form.submitSeveral') : t('form.submit')}
          </Button>
          {onCancel && <Button onClick={onCancel}>{t('form.cancel')}</Button>}
          <div id={reasonId} role="status" className="reading-form__reasons">
            {[...reasons].map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
          </div>
        </div>
      </form>
      <ConfirmDialog
        findings={toConfirm}
        rates={rates}
        draft={draft}
        missing={missing}
        onSend={() => void send(true)}
        onCorrect={correct}
      />
    </section>
  )
}
