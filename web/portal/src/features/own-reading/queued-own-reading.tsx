import { Button } from '@aws-amplify/ui-react'
import { useId, useState } from 'react'
import { formatDate, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useApplication } from '@/data/application.ts'
import type { OwnReadingEntry } from '@/device/entry.ts'
import { contentOfEntry, type FormState, stateOf } from '@/forms/draft.ts'
import { DiscardDialog } from '@/offline/discard-dialog.tsx'
import { ForgetfulBrowser } from '@/offline/forgetful-browser.tsx'
import { discard, takeBack } from '@/offline/outbox.ts'
import { useRefusalText } from '@/offline/refusal-text.ts'
import { type Draft, OWN_READING } from './draft.ts'

interface Props {
  readonly entry: OwnReadingEntry
  /** The form holds another reading, whose place this one would take. */
  readonly isInForm: boolean
  /** The reading is to be changed; absent where none may be entered. */
  readonly onEdit: ((state: FormState<Draft>) => void) | undefined
}

/** A reading of a meter without a job that has not arrived: it waits for a connection, or for the reader to look at it (L4). */
export function QueuedOwnReading({ entry, isInForm, onEdit }: Props) {
  const { t } = useTranslation('unknownReading')
  const { t: offline } = useTranslation('offline')
  const refusalText = useRefusalText()
  const { features } = useApplication()
  const titleId = useId()
  const reasonId = useId()
  const [isDiscarding, setDiscarding] = useState(false)
  const { reading, refusal, key } = entry

  async function edit() {
    const draft = await takeBack(entry, (entry) => contentOfEntry(OWN_READING, entry))
    if (draft) onEdit?.(stateOf(OWN_READING, draft))
  }

  return (
    <section className="panel queued-unknown" aria-labelledby={titleId}>
      <h2 id={titleId} className="queued-unknown__title" tabIndex={-1}>
        <Icon name={refusal ? 'warning' : 'clock'} />
        {t(refusal ? 'queued.attention' : 'queued.title', { number: entry.meterNumber })}
      </h2>
      {refusal ? (
        <Message type="warning">
          <p>{refusalText(refusal)}</p>
        </Message>
      ) : (
        <>
          <p>{entry.isPhotoStuck ? offline('queued.photoStuck') : t('queued.text')}</p>
          {entry.isPhotoStuck && !features.unknownReadingsImageRequired && <p>{offline('queued.withoutPhoto')}</p>}
          <ForgetfulBrowser />
        </>
      )}
      <p>
        <strong className="figures">{formatValue(reading.readingValue)}</strong>{' '}
        <span className="figures">{formatDate(reading.readingDate)}</span>
      </p>
      {reading.photoIds.length > 0 && <p>{offline('queued.photos', { count: reading.photoIds.length })}</p>}
      <div className="own-reading__end">
        {onEdit && (
          <Button isDisabled={isInForm} aria-describedby={reasonId} onClick={() => void edit()}>
            {offline('queued.edit')}
          </Button>
        )}
        <Button onClick={() => setDiscarding(true)}>{offline('queued.discard')}</Button>
        <p id={reasonId} className="queued-unknown__reason" hidden={!onEdit || !isInForm}>
          {t('queued.inForm')}
        </p>
      </div>
      <DiscardDialog
        entry={isDiscarding ? entry : undefined}
        onKeep={() => setDiscarding(false)}
        onDiscard={() => void discard(key)}
      />
    </section>
  )
}
