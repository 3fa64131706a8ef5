import { Link } from 'wouter'
import type { MeterRateTask } from '@shared/contract/types.ts'
import { formatDate, formatInstant, formatValue, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Bars } from '@/components/bars.tsx'
import { Heads } from '@/components/heads.tsx'
import { Photo } from '@/components/photo.tsx'
import { placeLine } from '@/components/place.ts'
import { rateName, taskOf, unitOf } from '@/components/rate-name.ts'
import { useByName } from '@/components/use-by-name.ts'
import { periods, type Stand } from '@/components/years.ts'
import { paths } from '@/data/paths.ts'
import type { JobFile, Reading } from '@/data/types.ts'
import { mayAt, useMe } from '@/session/session.ts'

/** The earlier readings of a register, and the one of this job that counts. */
function stands(task: MeterRateTask, readings: readonly Reading[]): Stand[] {
  const counting = readings.filter(({ taskId, state }) => taskId === task.taskId && state === 'counts')
  return [...task.readingEvents, ...counting]
}

/** A meter in one season: what was read, by whom, how much was used. */
export function JobCard({ tenant, file }: { tenant: string; file: JobFile }) {
  const { t } = useTranslation('customer')
  const { t: parts } = useTranslation('parts')
  const { t: common } = useTranslation()
  const { job, readings, state, place } = file
  const { meter, jobConstraints } = job
  return (
    <article className="card" aria-label={t('meter', { number: meter.meterNumber })}>
      <div className="page__head">
        <h3>
          {common(`meterType.${meter.meterType}`)} <span className="identifier">{meter.meterNumber}</span>
        </h3>
        <span className={`state state--${state}`}>{t(`state.${state}`)}</span>
        {state !== 'closed' && (
          <Link
            href={paths.entry(tenant, job.id)}
            aria-label={`${t('enter')}: ${t('meter', { number: meter.meterNumber })}`}
            className="button-link button-link--small button-link--plain page__tools"
          >
            {t('enter')}
          </Link>
        )}
      </div>
      <p className="soft">
        {placeLine(place)}
        {meter.meterAddress.locationDescription && ` · ${meter.meterAddress.locationDescription}`}
        {jobConstraints.latestExecution && ` · ${t('until', { day: formatDate(jobConstraints.latestExecution) })}`}
        {meter.maLoId && ` · MaLo ${meter.maLoId}`}
      </p>
      {readings.length > 0 && (
        <table className="stacks">
          <Heads names={[parts('day'), parts('register'), parts('value'), t('way'), t('standing'), t('remark')]} />
          <tbody>
            {readings.toReversed().map((reading) => (
              <ReadingRow key={reading.id} tenant={tenant} file={file} reading={reading} />
            ))}
          </tbody>
        </table>
      )}
      {readings.length === 0 && <p>{t('noReadings')}</p>}
      <Photos tenant={tenant} file={file} />
      <div className="columns">
        {meter.meterRateTasks.map((task) => (
          <details key={task.taskId} open>
            <summary>{t('years', { register: rateName(task, common) })}</summary>
            <div className="row-of years">
              <Bars periods={periods(stands(task, readings))} unit={unitOf(task)} />
              <ul className="plain figures">
                {task.readingEvents.toReversed().map(({ readingDate, readingValue }) => (
                  <li key={`${readingDate} ${readingValue}`}>
                    {formatDate(readingDate)}: {withUnit(formatValue(readingValue), unitOf(task))}
                  </li>
                ))}
              </ul>
            </div>
          </details>
        ))}
      </div>
    </article>
  )
}

function ReadingRow({ tenant, file, reading }: { tenant: string; file: JobFile; reading: Reading }) {
  const { t } = useTranslation('customer')
  const { t: parts } = useTranslation('parts')
  const { nameOf, byWhom } = useByName()
  const { t: common } = useTranslation()
  const task = taskOf(file.job, reading.taskId)
  const { decision } = reading
  const mayDecide = mayAt(useMe(), tenant, 'clerk')
  // What a clerk had put there and took back has no reason for the customer, and is nothing any more.
  const isDecided = reading.state === 'counts' || (reading.state === 'rejected' && typeof decision?.reason === 'string')
  const way = reading.state === 'waits' ? 'decide' : isDecided ? 'decideAnew' : undefined
  const remarks = [
    reading.comment,
    ...reading.doubts.map((doubt) => parts(`doubt.${doubt}`)),
    reading.confirmedReason,
    reading.lateReason,
    decision &&
      parts('by', {
        what: parts(`made.${decision.kind}`),
        by: byWhom(decision.by ?? ''),
        when: formatInstant(decision.at),
      }),
    decision?.reason,
    reading.aside?.note,
  ]
  const register = task ? rateName(task, common) : reading.obis
  return (
    <tr>
      <td data-name={parts('day')}>{formatDate(reading.readingDate)}</td>
      <td data-name={parts('register')}>{register}</td>
      <td data-name={parts('value')} className="figures">
        {withUnit(formatValue(reading.readingValue), task && unitOf(task))}
      </td>
      <td data-name={t('way')}>
        {parts(`channel.${reading.channel}`)}
        {reading.enteredBy && `, ${nameOf(reading.enteredBy)}`}
      </td>
      <td data-name={t('standing')}>
        {parts(`state.${reading.state}`)}{' '}
        {mayDecide && way && (
          <Link
            href={paths[way](tenant, file.job.id, reading.id)}
            aria-label={`${parts(way)}: ${t('meter', { number: reading.meterNumber ?? reading.obis })}, ${register}, ${formatDate(reading.readingDate)}`}
          >
            {parts(way)}
          </Link>
        )}
      </td>
      <td data-name={t('remark')} className="long">
        {remarks.filter(Boolean).join(' · ')}
      </td>
    </tr>
  )
}

function Photos({ tenant, file: { job, readings } }: { tenant: string; file: JobFile }) {
  const { t: parts } = useTranslation('parts')
  const all = readings.flatMap((reading) => reading.images.map((image, index) => ({ reading, image, index })))
  // A scan of a card belongs to all registers that stand on it.
  const photos = all.filter(({ image }, place) => all.findIndex((other) => other.image === image) === place)
  if (photos.length === 0) return null
  return (
    <div className="columns photos">
      {photos.map(({ reading, image, index }) => (
        <Photo
          key={image}
          tenant={tenant}
          job={job.id}
          reading={reading.id}
          image={image}
          label={parts('photo.of', {
            number: index + 1,
            value: formatValue(reading.readingValue),
            day: formatDate(reading.readingDate),
          })}
        />
      ))}
    </div>
  )
}
