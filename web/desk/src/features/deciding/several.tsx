import { Button, TextAreaField } from '@aws-amplify/ui-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { focusFault } from '@/components/focus-fault.ts'
import { decideSeveral } from '@/data/deciding.ts'
import type { OutcomeOfOne, SeveralKind, WaitingItem } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { isMade } from './failed.tsx'
import { useGivenBack } from './use-given-back.ts'
import { useHeightKept } from './use-height-kept.ts'
import { useMadeLine } from './use-made-line.ts'
import { MOST } from './use-selection.ts'

interface Props {
  tenant: string
  chosen: readonly WaitingItem[]
  /** Some were decided about; the list is another one. */
  onDone: () => void
  clear: () => void
}

interface Left {
  readonly number: string
  readonly outcome: OutcomeOfOne
}

const numberOf = ({ reading, withoutJob, job }: WaitingItem): string => (reading ?? withoutJob)?.meterNumber ?? job

/** What can be done about all that is chosen at once, and what became of it. */
export function Several({ tenant, chosen, onDone, clear }: Props) {
  const { t } = useTranslation('deciding')
  const madeLine = useMadeLine()
  const problemText = useDeskProblemText()
  const [form, setForm] = useState<'reject' | 'aside'>()
  const [words, setWords] = useState('')
  const [isTried, setTried] = useState(false)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [done, setDone] = useState<{
    readonly count: number
    /** How many mails to customers go out: each register's rejection is one. */
    readonly mailed: number | undefined
    readonly left: readonly Left[]
  }>()
  // What is chosen next begins anew, and the list has its room back.
  if (done && chosen.length > 0) setDone(undefined)
  const send = async (kind: SeveralKind) => {
    if (isSending) return
    setSending(true)
    setFailure(undefined)
    try {
      const outcomes = await decideSeveral(tenant, kind, words.trim(), chosen)
      const left = outcomes.flatMap((outcome, place) => {
        const item = chosen[place]
        return outcome.code && item ? [{ number: numberOf(item), outcome }] : []
      })
      const mailed = kind === 'reject' ? outcomes.filter((outcome) => outcome.mailed).length : undefined
      setDone({ count: outcomes.length - left.length, mailed, left })
      setForm(undefined)
      setWords('')
      setTried(false)
      clear()
      onDone()
    } catch (caught) {
      setFailure(caught)
    }
    setSending(false)
  }
  const why = ({ code, decision }: OutcomeOfOne) => {
    if (isMade(decision)) return madeLine(decision)
    if (code === 'request-invalid') return t('onlySingly')
    if (code === 'second-member-needed') return t('did.needsSecond')
    return t('gone')
  }
  useGivenBack(form !== undefined && chosen.length > 0)
  const bar = useRef<HTMLDivElement>(null)
  useHeightKept(bar, '--zw-several')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (form) field.current?.focus()
  }, [form])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (form && words.trim()) void send(form)
    else focusFault(field.current?.form ?? null)
  }
  return (
    <div ref={bar} className="several">
      <div role="status">
        {done && (
          <Message type={done.left.length > 0 ? 'warning' : 'success'}>
            <p>
              {t('severalDone', { count: done.count, number: formatCount(done.count) })}{' '}
              {done.count > 0 &&
                done.mailed !== undefined &&
                t('severalMailed', { count: done.mailed, number: formatCount(done.mailed) })}
            </p>
            {done.left.map(({ number, outcome }) => (
              <p key={`${outcome.job} ${outcome.reading}`}>
                {t('meterNumber', { number })} {why(outcome)}
              </p>
            ))}
          </Message>
        )}
      </div>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      {chosen.length > 0 && (
        <div className="row-of" role="group" aria-label={t('several')}>
          <p role="status">
            {t(chosen.length === MOST ? 'chosenMost' : 'chosen', {
              count: chosen.length,
              number: formatCount(chosen.length),
            })}
          </p>
          <BusyButton size="small" variation="primary" isLoading={isSending} onClick={() => void send('release')}>
            {t('release')}
          </BusyButton>
          <Button size="small" onClick={() => setForm('reject')}>
            {t('reject')}
          </Button>
          <Button size="small" onClick={() => setForm('aside')}>
            {t('putAside')}
          </Button>
          <Button size="small" onClick={clear}>
            {t('unchoose')}
          </Button>
        </div>
      )}
      {form && chosen.length > 0 && (
        <form className="card decision-form" aria-label={t(`form.${form}`)} noValidate onSubmit={submit}>
          <TextAreaField
            label={t(form === 'reject' ? 'rejectWords' : 'note')}
            ref={field}
            name="words"
            rows={3}
            maxLength={1000}
            value={words}
            hasError={isTried && !words.trim()}
            errorMessage={t('needed')}
            onChange={({ target }) => setWords(target.value)}
          />
          <div className="row-of">
            <BusyButton type="submit" variation="primary" isLoading={isSending}>
              {t(`send.${form}`)}
            </BusyButton>
            <Button onClick={() => setForm(undefined)}>{t('cancel')}</Button>
          </div>
        </form>
      )}
    </div>
  )
}
