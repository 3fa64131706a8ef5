import { Button } from '@aws-amplify/ui-react'
import { type FormEvent, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '@shared/api/problem.ts'
import { Icon } from '@shared/ui/icon.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useApplication } from '@/data/application.ts'
import { useToday } from '@/data/today.ts'
import { ContactStep } from './contact-step.tsx'
import { DoneStep } from './done-step.tsx'
import { type Draft, findingsOf, outgoing, STEPS, type Step } from './draft.ts'
import { MeterStep } from './meter-step.tsx'
import { ReadingStep } from './reading-step.tsx'
import type { Sender } from './send.ts'
import { mayAskForCopy, type Session } from './session.ts'
import { SummaryStep } from './summary-step.tsx'
import { useSubmission } from './use-submission.ts'
import type { Progress } from './visitor-reading.tsx'

interface Props {
  /** Absent once it is over. */
  readonly session: Session | undefined
  readonly sender: Sender
  readonly progress: Progress
  readonly onProgress: (change: (progress: Progress) => Progress) => void
  readonly onExpired: () => void
  /** Another reading. */
  readonly onRestart: () => void
  readonly homePath: string
}

/** The five steps (P4). */
export function Wizard({ session, sender, progress, onProgress, onExpired, onRestart, homePath }: Props) {
  const { t } = useTranslation('publicReading')
  const problemText = useProblemText()
  const { unknownReading: config, crmSettings } = useApplication()
  const today = useToday()
  const { step, draft } = progress
  const titleId = useId()
  const reasonId = useId()
  const heading = useFocusOnStep(step)

  const mayHaveCopy = crmSettings.unknownUserReceiptAllowed && session !== undefined && mayAskForCopy(session)
  const findings = findingsOf(step, config, draft, today, mayHaveCopy)
  const isSummary = step === 'SUMMARY'
  const isReady = isSummary
    ? STEPS.every((step) => findingsOf(step, config, draft, today, mayHaveCopy).length === 0)
    : findings.length === 0

  const { isSending, failure, isWaiting, ...submission } = useSubmission({
    session,
    sender,
    outgoing: () => (isReady ? outgoing(config, draft, today, mayHaveCopy) : undefined),
    onSent: () => go('DONE'),
    onExpired,
  })

  const go = (step: Step) => {
    submission.forgetFailure()
    submission.stopWaiting()
    onProgress((progress) => ({ ...progress, step }))
  }
  const change = (change: (draft: Draft) => Draft) => {
    submission.stopWaiting()
    onProgress((progress) => ({ ...progress, draft: change(progress.draft), isTouched: true }))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady) return
    if (isSummary) void submission.send()
    else go(after(step))
  }

  if (step === 'DONE') {
    return (
      <section className="panel wizard" aria-labelledby={titleId}>
        <Steps step={step} />
        <DoneStep heading={heading} titleId={titleId} homePath={homePath} onAgain={onRestart} />
      </section>
    )
  }
  const props = { config, draft, onChange: change, findings }
  return (
    <section className="panel wizard" aria-labelledby={titleId}>
      <Steps step={step} />
      <h2 id={titleId} ref={heading} tabIndex={-1} className="wizard__title">
        {t(`headings.${step}`)}
      </h2>
      <form className="wizard__form" noValidate onSubmit={submit}>
        <fieldset className="wizard__fields" disabled={isSending}>
          {step === 'METER' && <MeterStep {...props} />}
          {step === 'METER_READING' && <ReadingStep {...props} today={today} />}
          {step === 'CONTACT' && <ContactStep {...props} />}
          {step === 'SUMMARY' && <SummaryStep {...props} today={today} mayHaveCopy={mayHaveCopy} onEdit={go} />}
        </fieldset>
        {isWaiting && (
          <Message type="warning" title={t('waiting.title')} role="alert">
            <p>{t('waiting.text')}</p>
          </Message>
        )}
        {failure !== undefined && (
          <Message type="error" title={problemText(failure)}>
            <p>{t('retry')}</p>
          </Message>
        )}
        <div id={reasonId} role="status" className="wizard__reason">
          {!isReady && <p>{t(isSummary && draft.acceptsPrivacy ? 'invalid.SUMMARY_email' : `invalid.${step}`)}</p>}
        </div>
        <div className="wizard__buttons">
          {step !== 'METER' && (
            <Button size="large" isDisabled={isSending} onClick={() => go(before(step))}>
              {t('back')}
            </Button>
          )}
          <Button
            type="submit"
            variation="primary"
            size="large"
            isDisabled={!isReady}
            isLoading={isSending}
            loadingText={t('sending')}
            aria-describedby={reasonId}
          >
            {isSummary ? t('submit') : t('continue')}
          </Button>
        </div>
      </form>
    </section>
  )
}

const after = (step: Step): Step => STEPS[STEPS.indexOf(step) + 1] ?? 'DONE'
const before = (step: Step): Step => STEPS[STEPS.indexOf(step) - 1] ?? 'METER'

/** The way through the steps, and where on it the visitor is. */
function Steps({ step }: { step: Step }) {
  const { t } = useTranslation('publicReading')
  const current = STEPS.indexOf(step)
  return (
    <ol className="steps" aria-label={t('stepsLabel')}>
      {STEPS.map((name, index) => (
        <li
          key={name}
          className="steps__step"
          data-done={index < current || step === 'DONE'}
          aria-current={name === step ? 'step' : undefined}
        >
          <span className="steps__number">
            {index < current || step === 'DONE' ? <Icon name="check" size={1.125} /> : index + 1}
          </span>
          <span className="steps__name">{t(`steps.${name}`)}</span>
        </li>
      ))}
    </ol>
  )
}

/** The heading of the step, which has the focus after every change of the step. */
function useFocusOnStep(step: Step) {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(step)
  useEffect(() => {
    if (last.current === step) return
    last.current = step
    scrollTo({ top: 0 })
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return heading
}
