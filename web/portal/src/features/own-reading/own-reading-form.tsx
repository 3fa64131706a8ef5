import { Button } from '@aws-amplify/ui-react'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useSessions } from '@/auth/sessions.ts'
import { useToday } from '@/data/today.ts'
import { NO_JOB } from '@/device/entry.ts'
import type { FormState } from '@/forms/draft.ts'
import { UnkeptMessage } from '@/forms/unkept-message.tsx'
import { useEntry } from '@/forms/use-entry.ts'
import { type Draft, OWN_READING } from './draft.ts'
import { serverFindings, useFindings, useFindingText } from './findings.ts'
import { OwnReadingFields } from './own-reading-fields.tsx'
import { useSubmission } from './use-submission.ts'

interface Props {
  readonly initial: FormState<Draft>
  readonly onSent: () => void
  /** The reading waits in the outbox. */
  readonly onQueued: () => void
  readonly onCancel: () => void
}

/** The reading of a meter for which there is no job (L5). */
export function OwnReadingForm({ initial, onSent, onQueued, onCancel }: Props) {
  const { t } = useTranslation('unknownReading')
  const problemText = useProblemText()
  const findingText = useFindingText()
  const sessions = useSessions()
  const today = useToday()
  const [wasTried, setTried] = useState(false)
  // A reading that is sent now would go without its photos.
  const [isPreparing, setPreparing] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const ownerOf = ({ accountId }: Draft) => (sessions.length > 1 && accountId) || (sessions[0]?.accountId ?? '')
  const entry = useEntry(
    OWN_READING,
    () => initial,
    (draft) => [ownerOf(draft), NO_JOB],
  )
  const { draft, setDraft, isSending, rejection } = entry
  const send = useSubmission({ entry, accountId: ownerOf(draft), today, onSent, onQueued })

  const own = useFindings(draft, today)
  const servers = rejection ? serverFindings(rejection) : []
  const isIncomplete = own.some(({ code }) => code === 'REQUIRED' || code === 'IMAGE_REQUIRED')

  /** What is wrong with a field, once the reader has tried to send. */
  function errorOf(field: string): string | undefined {
    const finding = wasTried ? [...own, ...servers].find((candidate) => candidate.field === field) : undefined
    return finding && findingText(finding)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isSending || isPreparing) return
    flushSync(() => setTried(true))
    if (own.length === 0) void send()
    else form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus()
  }

  const photoError =
    errorOf('readingImages') ?? (rejection?.code === 'photo-invalid' ? problemText(rejection) : undefined)
  return (
    <form ref={form} className="panel own-reading" noValidate onSubmit={submit}>
      <p className="own-reading__intro">{t('intro')}</p>
      <OwnReadingFields
        draft={draft}
        setDraft={setDraft}
        today={today}
        isDisabled={isSending}
        errorOf={errorOf}
        photoError={photoError}
        onPreparing={setPreparing}
      />
      {wasTried && isIncomplete && <Message type="error" title={t('fillRequired')} role="alert" />}
      {rejection && servers.length === 0 && rejection.code !== 'session-ended' && (
        <Message type="error" title={problemText(rejection)} role="alert" isAnswer>
          <p>{t('retry')}</p>
        </Message>
      )}
      {entry.isUnkept && <UnkeptMessage />}
      <div className="own-reading__end">
        <BusyButton
          type="submit"
          variation="primary"
          size="large"
          isDisabled={isPreparing}
          isLoading={isSending}
          loadingText={t('sending')}
        >
          {t('submit')}
        </BusyButton>
        <Button
          size="large"
          isDisabled={isSending}
          onClick={() => {
            void entry.discard()
            onCancel()
          }}
        >
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
