import { Button } from '@aws-amplify/ui-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { showAboveNotice } from '@shared/ui/scroll.ts'
import { useApplication } from '@/data/application.ts'
import { useToday } from '@/data/today.ts'
import { ContactStep } from './contact-step.tsx'
import { DoneStep } from './done-step.tsx'
import { type Draft, findingsOf, outgoing, STEPS, type Step } from './draft.ts'
import { MeterStep } from './meter-step.tsx'
import { useNextField } from './next-field.ts'
import { ReadingStep } from './reading-step.tsx'
import type { Sender } from './send.ts'
import { mayAskForCopy, type Session } from './session.ts'
import { Steps } from './steps.tsx'
import { SummaryStep } from './summary-step.tsx'
import type { Progress } from './use-progress.ts'
import { useSubmission } from './use-submission.ts'

interface Props {
  /** Absent once it is over. */
  readonly session: Session | undefined
  readonly sender: Sender
  /** The reading is on its way. */
  readonly isSending: boolean
  readonly onSending: (isSending: boolean) => void
  readonly progress: Progress
  readonly onGo: (step: Step) => void
  readonly onSent: () => void
  readonly onChange: (change: (draft: Draft) => Draft) => void
  /** The form was away for a while; its return is news. */
  readonly isBack: boolean
  readonly onExpired: () => void
  /** Another reading. */
  readonly onRestart: () => void
  readonly homePath: string
}

/** The five steps (P4). */
export function Wizard(props: Props) {
  const { session, sender, isSending, progress, onGo, onChange, onExpired, onRestart, isBack, homePath } = props
  const { t } = useTranslation('publicReading')
  const { t: photoText } = useTranslation('photos')
  const problemText = useProblemText()
  const { unknownReading: config, crmSettings } = useApplication()
  const today = useToday()
  const { step, draft } = progress
  const titleId = useId()
  const reasonId = useId()
  const heading = useFocusOnStep(step, isBack)

  const mayHaveCopy = crmSettings.unknownUserReceiptAllowed && session !== undefined && mayAskForCopy(session)
  const findingsAt = (step: Step) => findingsOf(step, config, draft, today, mayHaveCopy)
  const findings = findingsAt(step)
  const isSummary = step === 'SUMMARY'
  // What was right may be wrong by now: the day that was read is further away after midnight.
  const wrongStep = (isSummary && STEPS.find((step) => findingsAt(step).length > 0)) || step
  const nextField = useNextField(wrongStep, { config, draft, findings: findingsAt(wrongStep) })
  // A reading that is sent now would go without its photos; they are prepared on, whichever step is shown.
  const [preparing, setPreparing] = useState(0)
  const isPreparing = isSummary && preparing > 0
  const isReady = !isPreparing && findingsAt(wrongStep).length === 0

  const { failure, isWaiting, ...submission } = useSubmission({
    session,
    sender,
    onSending: props.onSending,
    outgoing: () => (isReady ? outgoing(config, draft, today, mayHaveCopy) : undefined),
    onSent: props.onSent,
    onExpired,
  })

  const change = (change: (draft: Draft) => Draft) => {
    submission.stopWaiting()
    onChange(change)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady) return
    if (isSummary) void submission.send()
    else onGo(after(step))
  }

  if (step === 'DONE') {
    return (
      <section className="panel wizard" aria-labelledby={titleId}>
        <Steps step={step} />
        <DoneStep heading={heading} titleId={titleId} homePath={homePath} onAgain={onRestart} />
      </section>
    )
  }
  const stepProps = { config, draft, onChange: change, findings }
  return (
    <section className="panel wizard" aria-labelledby={titleId}>
      <Steps step={step} />
      <h2 id={titleId} ref={heading} tabIndex={-1} className="wizard__title">
        {t(`headings.${step}`)}
      </h2>
      <form className="wizard__form" noValidate onSubmit={submit}>
        <fieldset className="wizard__fields" aria-labelledby={titleId} disabled={isSending}>
          {step === 'METER' && <MeterStep {...stepProps} />}
          {step === 'METER_READING' && (
            <ReadingStep
              {...stepProps}
              today={today}
              onPreparing={(isBegun) => setPreparing((count) => count + (isBegun ? 1 : -1))}
            />
          )}
          {step === 'CONTACT' && <ContactStep {...stepProps} />}
          {step === 'SUMMARY' && <SummaryStep {...stepProps} today={today} mayHaveCopy={mayHaveCopy} onEdit={onGo} />}
        </fieldset>
        {isWaiting && (
          <Message type="warning" title={t('waiting.title')} role="alert" isAnswer>
            <p>{t('waiting.text')}</p>
          </Message>
        )}
        {failure !== undefined && (
          <Message type="error" title={problemText(failure)} isAnswer>
            <p>{t('retry')}</p>
          </Message>
        )}
        <div id={reasonId} role="status" className="wizard__reason">
          {isPreparing && <p>{photoText('preparing')}</p>}
          {!isReady && !isPreparing && wrongStep !== 'DONE' && (
            <p>
              {t(wrongStep === 'SUMMARY' && draft.acceptsPrivacy ? 'invalid.SUMMARY_email' : `invalid.${wrongStep}`)}
            </p>
          )}
          {nextField && <p>{t('invalid.next', { field: nextField })}</p>}
        </div>
        <div className="wizard__buttons">
          {step !== 'METER' && (
            <Button size="large" isDisabled={isSending} onClick={() => onGo(before(step))}>
              {t('back')}
            </Button>
          )}
          <BusyButton
            type="submit"
            variation="primary"
            size="large"
            isDisabled={!isReady}
            isLoading={isSending}
            loadingText={t('sending')}
            aria-describedby={reasonId}
          >
            {isSummary ? t('submit') : t('continue')}
          </BusyButton>
        </div>
      </form>
    </section>
  )
}

const after = (step: Step): Step => STEPS[STEPS.indexOf(step) + 1] ?? 'DONE'
const before = (step: Step): Step => STEPS[STEPS.indexOf(step) - 1] ?? 'METER'

/** The heading of the step, which has the focus after every change of the step, and when the form comes back. */
function useFocusOnStep(step: Step, isBack: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(isBack ? undefined : step)
  useEffect(() => {
    if (last.current === step) return
    last.current = step
    scrollTo({ top: 0 })
    heading.current?.focus({ preventScroll: true })
    return step === 'DONE' ? showAboveNotice(heading.current?.parentElement ?? null) : undefined
  }, [step])
  return heading
}
