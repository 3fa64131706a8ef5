import { Button, SelectField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { dayIn } from '@shared/rules/window.ts'
import { Message } from '@shared/ui/message.tsx'
import { JobLine } from '@/components/job-line.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { fetchJob, jobsOfMeter, useJob } from '@/data/jobs.ts'
import { paths } from '@/data/paths.ts'
import { CHANNELS, type DeskJob, type Entered, type EntryChannel, type FoundCustomer } from '@/data/types.ts'
import { EntryForm } from './entry-form.tsx'
import './entry.css'

const isChannel = (text: string): text is EntryChannel => CHANNELS.some((channel) => channel === text)

/** Leads to what has just come, which is read out by it. */
const focusOnce = (element: HTMLElement | null) => element?.focus()

const todayHere = () => dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date())

/** Entering readings: for the job that the address names, or card after card. */
export function EntryPage({ tenant, id }: { tenant: string; id: string }) {
  // From one to the other all begins anew: a card must not count as the call before it.
  return <Entry key={id} tenant={tenant} id={id} />
}

function Entry({ tenant, id }: { tenant: string; id: string }) {
  const { t } = useTranslation('entry')
  const [channel, setChannel] = useState<EntryChannel>(id ? 'PHONE' : 'CARD')
  const [day, setDay] = useState(todayHere)
  return (
    <Page title={t(id ? 'title' : 'cards')}>
      <div className="row-of">
        <SelectField
          label={t('channel')}
          name="channel"
          value={channel}
          onChange={({ target }) => isChannel(target.value) && setChannel(target.value)}
        >
          {CHANNELS.map((one) => (
            <option key={one} value={one}>
              {t(`channels.${one}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('day')}
          name="day"
          type="date"
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
      </div>
      {id ? (
        <OneJob tenant={tenant} id={id} channel={channel} day={day} />
      ) : (
        <Cards tenant={tenant} channel={channel} day={day} />
      )}
    </Page>
  )
}

/** What became of a reading, as the name of its text. */
function told({ outcome, doubts }: Entered, hasPhotos: boolean) {
  if (outcome === 'unchanged') return hasPhotos ? 'unchangedPhotos' : 'unchanged'
  return doubts.length > 0 ? 'storedWaits' : 'stored'
}

interface Props {
  tenant: string
  channel: EntryChannel
  day: string
}

function OneJob({ tenant, id, channel, day }: Props & { id: string }) {
  const { t } = useTranslation('entry')
  const { job, error, retry } = useJob(tenant, id)
  const [entered, setEntered] = useState<ReturnType<typeof told>>()
  if (!job) return <Pending error={error} retry={retry} />
  return (
    <>
      <div role="status">
        {entered && <Message type="success">{t(entered, { number: job.file.job.meter.meterNumber })}</Message>}
      </div>
      {!entered && (
        <EntryForm
          tenant={tenant}
          job={job}
          channel={channel}
          day={day}
          onStored={(stored, hasPhotos) => setEntered(told(stored, hasPhotos))}
          onOvertaken={retry}
        />
      )}
      <p>
        <Link href={paths.customer(tenant, job.account)}>{t('toCustomer', { name: job.name })}</Link>
      </p>
    </>
  )
}

/** Number, Enter, value, Enter, next: the mouse is not needed. */
function Cards({ tenant, channel, day }: Props) {
  const { t } = useTranslation('entry')
  const [number, setNumber] = useState('')
  const [job, setJob] = useState<DeskJob>()
  const [choice, setChoice] = useState<readonly FoundCustomer[]>([])
  const [hasMore, setHasMore] = useState(false)
  const [isUnknown, setUnknown] = useState(false)
  const [error, setError] = useState<unknown>()
  const [done, setDone] = useState<readonly { key: number; outcome: ReturnType<typeof told>; number: string }[]>([])
  const field = useRef<HTMLInputElement>(null)
  /** What is asked for; an answer to an earlier question comes too late. */
  const asked = useRef({ number: '', isSending: false, isWaiting: false })

  const attempt = async (number: string, act: (isCurrent: () => boolean) => Promise<void>) => {
    const question = { number, isSending: false, isWaiting: false }
    asked.current = question
    const isCurrent = () => asked.current === question
    setError(undefined)
    try {
      await act(isCurrent)
    } catch (failure) {
      if (isCurrent()) setError(failure)
    }
  }
  const show = (opened: DeskJob) => {
    setJob(opened)
    setChoice([])
  }
  const choose = (id: string) =>
    void attempt(asked.current.number, async (isCurrent) => {
      const opened = await fetchJob(tenant, id)
      if (isCurrent()) show(opened)
    })
  const find = (event?: FormEvent) => {
    event?.preventDefault()
    const wanted = field.current?.value.trim() ?? ''
    if (wanted === '') return
    // What becomes of the card before is still to be shown.
    if (asked.current.isSending) {
      asked.current.isWaiting = true
      return
    }
    setJob(undefined)
    setChoice([])
    setUnknown(false)
    void attempt(wanted, async (isCurrent) => {
      const found = await jobsOfMeter(tenant, wanted)
      const [first, ...others] = found.jobs
      const opened = first?.job && others.length === 0 && !found.hasMore ? await fetchJob(tenant, first.job) : undefined
      if (!isCurrent()) return
      setHasMore(found.hasMore)
      setUnknown(!first)
      if (opened) show(opened)
      else setChoice(found.jobs)
    })
  }
  const noteSending = (isSending: boolean) => {
    asked.current.isSending = isSending
    if (!isSending) asked.current.isWaiting = false
  }
  const stored = (entered: Entered, hasPhotos: boolean) => {
    const { meterNumber = '' } = job?.file.job.meter ?? {}
    setDone((all) => [{ key: all.length, outcome: told(entered, hasPhotos), number: meterNumber }, ...all])
    setJob(undefined)
    const { number: sent, isWaiting } = asked.current
    noteSending(false)
    if (isWaiting) return find()
    // The number of the next card may stand there already.
    setNumber((typed) => (typed.trim() === sent ? '' : typed))
    field.current?.focus()
  }
  return (
    <>
      <form className="row-of" onSubmit={find} aria-label={t('card')}>
        <TextField
          ref={field}
          className="identifier"
          label={t('number')}
          name="number"
          autoComplete="off"
          descriptiveText={t('numberHint')}
          value={number}
          onChange={({ target }) => setNumber(target.value)}
        />
        <Button type="submit">{t('open')}</Button>
      </form>
      {isUnknown && (
        <Message type="warning" role="alert">
          {t('unknown', { number: number.trim() })}
        </Message>
      )}
      {error !== undefined && <Pending error={error} retry={find} />}
      {choice.length > 0 && (
        <section className="card" aria-label={t('several')}>
          <h2 ref={focusOnce} tabIndex={-1}>
            {t('several')}
          </h2>
          <ul className="plain">
            {choice.map((one) => (
              <li key={one.job}>
                <button type="button" className="plain-button" onClick={() => one.job && choose(one.job)}>
                  <JobLine job={one} />
                </button>
              </li>
            ))}
          </ul>
          {hasMore && <p className="soft">{t('more')}</p>}
        </section>
      )}
      {job && (
        <EntryForm
          key={job.file.job.id}
          tenant={tenant}
          job={job}
          channel={channel}
          day={day}
          onSending={noteSending}
          onStored={stored}
          onOvertaken={() => choose(job.file.job.id)}
        />
      )}
      <section aria-label={t('done', { count: done.length })}>
        <h2 className="entry-done">{t('done', { count: done.length, number: formatCount(done.length) })}</h2>
        <ul className="plain" aria-live="polite">
          {done.map(({ key, outcome, number }) => (
            <li key={key}>{t(outcome, { number })}</li>
          ))}
        </ul>
      </section>
    </>
  )
}
