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
import { fetchJob, jobsOfMeter, plainNumber, useJob } from '@/data/jobs.ts'
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
  const [isUnknown, setUnknown] = useState(false)
  const [error, setError] = useState<unknown>()
  const [done, setDone] = useState<readonly { key: number; text: string }[]>([])
  const field = useRef<HTMLInputElement>(null)

  const open = async (id: string) => {
    setJob(await fetchJob(tenant, id))
    setChoice([])
  }
  const choose = (id: string) => {
    setError(undefined)
    open(id).catch(setError)
  }
  const find = async (event?: FormEvent) => {
    event?.preventDefault()
    const wanted = number.trim()
    if (wanted === '') return
    setJob(undefined)
    setChoice([])
    setUnknown(false)
    setError(undefined)
    try {
      const found = await jobsOfMeter(tenant, wanted)
      const exact = found.filter(({ meterNumber }) => plainNumber(meterNumber) === plainNumber(wanted))
      const fitting = exact.length > 0 ? exact : found
      const [first] = fitting
      if (fitting.length === 1 && first?.job) await open(first.job)
      else setChoice(fitting)
      setUnknown(fitting.length === 0)
    } catch (failure) {
      setError(failure)
    }
  }
  const stored = (entered: Entered, hasPhotos: boolean) => {
    const text = t(told(entered, hasPhotos), { number: job?.file.job.meter.meterNumber })
    setDone([{ key: done.length, text }, ...done])
    setJob(undefined)
    setNumber('')
    field.current?.focus()
  }
  return (
    <>
      <form className="row-of" onSubmit={(event) => void find(event)} aria-label={t('card')}>
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
      {error !== undefined && <Pending error={error} retry={() => void find()} />}
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
        </section>
      )}
      {job && (
        <EntryForm
          key={job.file.job.id}
          tenant={tenant}
          job={job}
          channel={channel}
          day={day}
          onStored={stored}
          onOvertaken={() => choose(job.file.job.id)}
        />
      )}
      <section aria-label={t('done', { count: done.length })}>
        <h2 className="entry-done">{t('done', { count: done.length, number: formatCount(done.length) })}</h2>
        <ul className="plain" aria-live="polite">
          {done.map(({ key, text }) => (
            <li key={key}>{text}</li>
          ))}
        </ul>
      </section>
    </>
  )
}
