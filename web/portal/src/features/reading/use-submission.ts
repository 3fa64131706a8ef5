import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ApiError } from '@shared/api/client.ts'
import { useProblemText } from '@shared/api/problem.ts'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Finding } from '@shared/rules/reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { notify } from '@shared/ui/notify.ts'
import { isOver, METER_EXCHANGED } from '@/offline/sender.ts'
import { SENDING } from '@/offline/use-notices.ts'
import { outgoingResults } from './draft.ts'
import type { Rate } from './rate.ts'
import { entryOf, serverFindings } from './send.ts'
import type { Findings } from './use-findings.ts'
import type { Reading } from './use-reading.ts'

interface Options {
  readonly job: Job
  readonly today: IsoDate
  readonly reading: Reading
  readonly findings: Findings
  /** The rates that are still open and not filled in. */
  readonly missing: readonly Rate[]
  /** Photos are being prepared: a reading that is sent now would go without them. */
  readonly isPreparing: boolean
  readonly form: RefObject<HTMLFormElement | null>
  readonly onSent: () => void
  readonly onQueued: () => void
}

const isWarning = ({ severity }: Finding) => severity === 'warning'

/** The login is over: the portal says so itself, and a later try from this form cannot help. */
export const hasEnded = (error: ApiError): boolean => error.code === 'session-ended'

/** Sends an entry, after a confirmation where there are warnings (L4). */
export function useSubmission(options: Options) {
  const { job, today, reading, findings, missing, isPreparing, form, onSent, onQueued } = options
  const { entry, meterNumber, lookAgain } = reading
  const { t } = useTranslation('reading')
  const problemText = useProblemText()
  const [toConfirm, setToConfirm] = useState<readonly Finding[]>()
  // The day was replaced while the button was on its way down: the reader has not seen yet what would be sent.
  const isDateUnseen = useRef(false)

  const notifyFailure = (message = t('notice.failed')) =>
    notify({ type: 'error', title: t('notice.failedTitle'), message, topic: SENDING })

  async function send(confirmed: boolean) {
    setToConfirm(undefined)
    const outcome = await entry.send(entryOf(job, meterNumber, entry.draft, today, confirmed))
    if (outcome.state === 'sent') {
      notify({ type: 'success', title: t('notice.sentTitle'), message: t('notice.sent'), topic: SENDING })
      onSent()
    } else if (outcome.state === 'kept') {
      // What becomes of it is said by those who keep it (D-OUTBOX-10).
      onQueued()
    } else if (outcome.error.code === METER_EXCHANGED) {
      lookAgain()
    } else if (isOver(outcome.error)) {
      // The form goes with the job, and no later try can help.
      notifyFailure(problemText(outcome.error))
    } else {
      const warnings = serverFindings(outcome.error, job, outgoingResults(job, entry.draft)).filter(isWarning)
      if (outcome.error.code === 'confirmation-required' && warnings.length > 0) setToConfirm(warnings)
      else if (!hasEnded(outcome.error)) notifyFailure()
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    findings.settle()
    if (findings.errors.length > 0 || isPreparing || entry.isSending || isDateUnseen.current) return
    const warnings = findings.all.filter(isWarning)
    if (warnings.length > 0) setToConfirm(warnings)
    else void send(false)
  }

  /** Goes to the first rate that was warned about, or that is missing. */
  function correct() {
    const [first] = [
      ...(toConfirm?.flatMap(({ taskId }) => taskId ?? []) ?? []),
      ...missing.map(({ task }) => task.taskId),
    ]
    // The dialog gives the focus back to the button when it closes; only then can the field have it.
    flushSync(() => setToConfirm(undefined))
    if (first) form.current?.querySelector<HTMLInputElement>(`[data-task="${CSS.escape(first)}"] input`)?.focus()
  }

  return {
    toConfirm,
    submit,
    confirm: () => void send(true),
    correct,
    onDateReset: () => {
      isDateUnseen.current = true
    },
    onDateSeen: () => {
      isDateUnseen.current = false
    },
  }
}
