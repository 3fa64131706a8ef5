import { Button } from '@aws-amplify/ui-react'
import { useId, useRef, useState } from 'react'
import { useProblemText } from '@shared/api/problem.ts'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type IsoDate, readingDates } from '@shared/rules/window.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { valueOf } from '@/components/counter/entry.ts'
import { UnkeptMessage } from '@/forms/unkept-message.tsx'
import { useReadsPhotos } from '@/offline/photo-reading.ts'
import { CommentField } from './comment-field.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { dayOf, outgoingResults, rateDraft, withRate } from './draft.ts'
import { useFindingText } from './finding-text.ts'
import { useRates } from './rate.ts'
import { RateEntry } from './rate-entry.tsx'
import { ReadingDate } from './reading-date.tsx'
import { taskOfFaultyPhoto } from './send.ts'
import { isEmpty, usePhotoFilling, useRemoteFilling } from './use-filling.ts'
import { useFindings } from './use-findings.ts'
import { useReading } from './use-reading.ts'
import { hasEnded, useSubmission } from './use-submission.ts'
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

/** The entry of a job's readings (L4). */
export function ReadingForm({ job, today, onSent, onQueued, onCancel }: Props) {
  const { t } = useTranslation('reading')
  const findingText = useFindingText()
  const problemText = useProblemText()
  const titleId = useId()
  const reasonId = useId()
  const form = useRef<HTMLFormElement>(null)
  /** The rates whose photos are being prepared. */
  const [preparing, setPreparing] = useState<readonly string[]>([])
  const isPreparing = preparing.length > 0
  const rates = useRates(job)
  const reading = useReading(job, today)
  const { entry } = reading
  const { draft, setDraft, isSending, rejection } = entry
  const date = dayOf(job, draft, today)
  const findings = useFindings(job, rates, entry, today)
  const missing = rates.filter(
    ({ result, task }) => !result && valueOf(rateDraft(draft, task.taskId).entry) === undefined,
  )
  const submission = useSubmission({ job, today, reading, findings, missing, isPreparing, form, onSent, onQueued })
  useRemoteFilling(job, rates, entry)
  const { look, isLooking } = usePhotoFilling(job, setDraft)
  const readsPhotos = useReadsPhotos(job)

  const info = findings.all.find(({ severity }) => severity === 'info')
  const faultyPhoto = rejection && taskOfFaultyPhoto(rejection, outgoingResults(job, draft))
  return (
    <section className="panel" aria-labelledby={titleId}>
      <h2 id={titleId} className="reading__title" tabIndex={-1}>
        {onCancel ? t('form.titleAgain') : t('form.title')}
      </h2>
      <form
        ref={form}
        className="reading-form"
        noValidate
        onSubmit={submission.submit}
        onPointerDownCapture={submission.onDateSeen}
        onKeyDownCapture={submission.onDateSeen}
      >
        <fieldset className="reading-form__fields" disabled={isSending}>
          {rates.map((rate, index) => (
            <RateEntry
              key={rate.task.taskId}
              job={job}
              rate={rate}
              draft={rateDraft(draft, rate.task.taskId)}
              readingDate={date}
              onChange={(change) => setDraft((draft) => withRate(draft, rate.task.taskId, change))}
              findings={findings.all.filter(
                (finding) => finding.taskId === rate.task.taskId && findings.isSettled(finding),
              )}
              isSettled={findings.isRateSettled(rate.task.taskId)}
              onLeave={findings.settle}
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
              isLooking={isLooking(rate.task.taskId)}
              hasPhotoNote={readsPhotos && index === 0}
              photoError={faultyPhoto === rate.task.taskId ? problemText(rejection) : undefined}
            />
          ))}
          {info && (
            <Message type="info">
              <p>{findingText(info)}</p>
            </Message>
          )}
          {!job.config.features.hideReadingDateInput && (
            <ReadingDate
              date={date}
              today={today}
              allowed={readingDates(job.jobConstraints, job.config.features, job.config.meterReading, today)}
              onChange={(date) => setDraft((draft) => ({ ...draft, date }))}
              onReset={submission.onDateReset}
            />
          )}
          <CommentField
            comment={draft.comment}
            presets={job.config.meterReading.defaultComments}
            isOffered={job.config.features.showReadingCommentAllowed || findings.comment.mayHelp}
            isRequired={findings.comment.isRequired}
            finding={findings.all.find((finding) => finding.field === 'comment' && findings.isSettled(finding))}
            onChange={(comment) => setDraft((draft) => ({ ...draft, comment }))}
          />
        </fieldset>
        {rejection && !findings.areServers && faultyPhoto === undefined && (
          <Message type="error" title={problemText(rejection)} role="alert" isAnswer>
            {!hasEnded(rejection) && <p>{t('form.retry')}</p>}
          </Message>
        )}
        {entry.isUnkept && <UnkeptMessage />}
        <div className="reading-form__end">
          <BusyButton
            type="submit"
            variation="primary"
            size="large"
            isDisabled={findings.errors.length > 0 || isPreparing}
            isLoading={isSending}
            loadingText={t('form.sending')}
            aria-describedby={reasonId}
          >
            {rates.length > 1 ? t('form.submitSeveral') : t('form.submit')}
          </BusyButton>
          {onCancel && (
            <Button
              onClick={() => {
                void entry.discard()
                onCancel()
              }}
            >
              {t('form.cancel')}
            </Button>
          )}
          <div id={reasonId} role="status" className="reading-form__reasons">
            {[...findings.reasons].map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
            {isPreparing && <p>{t('preparing', { area: 'photos' })}</p>}
          </div>
        </div>
      </form>
      <ConfirmDialog
        job={job}
        readingDate={date}
        findings={submission.toConfirm}
        rates={rates}
        draft={draft}
        missing={missing}
        onSend={submission.confirm}
        onCorrect={submission.correct}
      />
    </section>
  )
}
