import { Button } from '@aws-amplify/ui-react'
import { type ReactNode, useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { check } from '@shared/rules/reading.ts'
import { Icon } from '@shared/ui/icon.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useApplication } from '@/data/application.ts'
import { useToday } from '@/data/today.ts'
import type { TaskEntry } from '@/device/entry.ts'
import { contentOfEntry } from '@/forms/draft.ts'
import { DiscardDialog } from '@/offline/discard-dialog.tsx'
import { ForgetfulBrowser } from '@/offline/forgetful-browser.tsx'
import { discard, takeBack } from '@/offline/outbox.ts'
import { useRefusalText } from '@/offline/refusal-text.ts'
import { JOB_CLOSED } from '@/offline/sender.ts'
import { READING } from './draft.ts'
import { useRates, withUnit } from './rate.ts'

interface Props {
  readonly job: Job
  readonly entry: TaskEntry
  /** There is a form for what is changed; without one, the device would keep a draft that is never shown (D-OUTBOX-1). */
  readonly mayEdit: boolean
  /** The reading is a draft again, or was sent meanwhile. */
  readonly onEdit: () => void
  readonly onDiscarded: () => void
  /** The way on. */
  readonly children: ReactNode
}

/** A reading that was entered and has not arrived: it waits for a connection, or for the reader to look at it (L4). */
export function QueuedReading({ job, entry, mayEdit, onEdit, onDiscarded, children }: Props) {
  const { t } = useTranslation('offline')
  const rates = useRates(job)
  const refusalText = useRefusalText()
  const [isDiscarding, setDiscarding] = useState(false)
  const { plausibility } = useApplication().config
  const today = useToday()
  const { reading, refusal, isPhotoStuck, key } = entry
  const withoutPhotos = reading.results.map((result) => ({ ...result, imageCount: 0 }))
  const isPhotoRequired = check(job, { ...reading, results: withoutPhotos }, today, plausibility).some(
    ({ field }) => field === 'readingImages',
  )
  const photos = reading.results.flatMap(({ photoIds }) => photoIds).length
  // However it is changed, nothing is taken any more.
  const isClosed = job.closed
  // What was refused because the job was closed may be sent once it is opened again.
  const waits = isPhotoStuck ? 'queued.photoStuck' : 'queued.text'
  const text = refusal ? (isClosed ? 'queued.closedText' : 'queued.attentionText') : waits
  const reason = refusal && (isClosed || refusal.code !== JOB_CLOSED) ? refusal : undefined

  async function edit() {
    await takeBack(entry, (entry) => contentOfEntry(READING, entry))
    onEdit()
  }

  return (
    <section className="panel result" aria-labelledby="queued-title">
      <div className="result__head">
        <Icon name={refusal ? 'warning' : 'clock'} size={2} className={refusal ? 'queued__warning' : 'result__check'} />
        <div>
          <h2 id="queued-title" className="reading__title" tabIndex={-1}>
            {refusal ? t('queued.attentionTitle') : t('queued.title')}
          </h2>
          <p>{t(text)}</p>
          {!refusal && isPhotoStuck && !isPhotoRequired && <p>{t('queued.withoutPhoto')}</p>}
          {!refusal && <ForgetfulBrowser />}
        </div>
      </div>
      {reason && (
        <div className="queued__refusal">
          <Message type="warning">
            <p>{refusalText(reason)}</p>
          </Message>
        </div>
      )}
      {!refusal && children}
      {reading.results.map(({ taskId, readingValue, comment }) => {
        const rate = rates.find(({ task }) => task.taskId === taskId)
        return (
          <div key={taskId} className="result__rate">
            <h3 className="result__name">
              {t('queued.value')}
              {rate?.name && <span className="rate__name"> {rate.name}</span>}
            </h3>
            <p className="result__value figures">{rate ? withUnit(readingValue, rate) : readingValue}</p>
            {comment && <p className="result__comment">{comment}</p>}
          </div>
        )
      })}
      <dl className="result__facts">
        <div>
          <dt>{t('queued.date')}</dt>
          <dd className="figures">{formatDate(reading.readingDate)}</dd>
        </div>
      </dl>
      {photos > 0 && <p>{t('queued.photos', { count: photos })}</p>}
      <div className="queued__end">
        {mayEdit && (
          <Button {...(refusal && { variation: 'primary' })} onClick={() => void edit()}>
            {t('queued.edit')}
          </Button>
        )}
        <Button {...(isClosed && { variation: 'primary' })} onClick={() => setDiscarding(true)}>
          {t('queued.discard')}
        </Button>
      </div>
      {refusal && children}
      <DiscardDialog
        entry={isDiscarding ? entry : undefined}
        onKeep={() => setDiscarding(false)}
        onDiscard={() => void discard(key).then(onDiscarded)}
      />
    </section>
  )
}
