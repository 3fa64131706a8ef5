import { Link } from 'wouter'
import { formatAbout, formatAmount, formatDate, formatInstant, formatValue, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { judge } from '@shared/rules/expected.ts'
import { decimalText } from '@shared/rules/value.ts'
import { Bars } from '@/components/bars.tsx'
import { Photo } from '@/components/photo.tsx'
import { placeLine } from '@/components/place.ts'
import { rateName, taskOf, unitOf } from '@/components/rate-name.ts'
import { useByName } from '@/components/use-by-name.ts'
import { lastPeriod, periods } from '@/components/years.ts'
import { paths } from '@/data/paths.ts'
import type { JobCase } from './use-queue.ts'

const BILLION = 1e9

/** How the use since the last reading compares with that of a year: put to the year as the season of the medium has it. */
function usage({ file: { file, rules }, read: reading }: JobCase) {
  const task = taskOf(file.job, reading.taskId)
  if (!task) return undefined
  const known = periods(task.readingEvents)
  const judged = judge(
    rules.plausibility,
    file.job,
    task,
    reading.readingDate,
    reading.readingValue,
    reading.lowerReason,
  )
  const expected = file.expected[task.taskId]
  if (!judged || judged.expected <= 0n) {
    const last = lastPeriod(task.readingEvents, reading)
    return {
      task,
      judged: undefined,
      band: undefined,
      periods: last ? [...known, last] : known,
      isLastNew: Boolean(last),
    }
  }
  const annual = Number(judged.annual) / BILLION
  const share = Number(judged.consumption) / Number(judged.expected)
  const of = (amount: string) => (Number(amount) / Number(expected?.consumption)) * annual
  const band =
    expected && Number(expected.consumption) > 0 ? { least: of(expected.least), most: of(expected.most) } : undefined
  const used = Number(judged.consumption) / BILLION
  if (used < 0) return { task, judged, band, periods: known, isLastNew: false }
  const bar = {
    from: judged.since,
    to: reading.readingDate,
    used,
    perYear: share * annual,
    isEstimated: false,
  }
  return { task, judged, band, periods: [...known, bar], isLastNew: true }
}

/** Everything that a decision needs, on one screen: the photo beside the value, what was used before, who said what and how. */
export function CaseView({ tenant, item }: { tenant: string; item: JobCase }) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const { nameOf, byWhom } = useByName()
  const { t: common } = useTranslation()
  const { file: job, read: reading, email } = item
  const { file } = job
  const { meter } = file.job
  const use = usage(item)
  const unit = use && unitOf(use.task)
  return (
    <div className="case">
      <section className="card" aria-label={t('reading')}>
        <h2>
          {common(`meterType.${meter.meterType}`)} <span className="identifier">{meter.meterNumber}</span>
          {use && meter.meterRateTasks.length > 1 && ` · ${rateName(use.task, common)}`}
        </h2>
        <p className="case__value figures">{withUnit(formatValue(reading.readingValue), unit)}</p>
        <p>
          {formatDate(reading.readingDate)} · {parts(`channel.${reading.channel}`)}
          {reading.enteredBy && `, ${nameOf(reading.enteredBy)}`} ·{' '}
          {t('came', { when: formatInstant(reading.created) })}
        </p>
        <p>
          <strong>{reading.doubts.map((doubt) => parts(`doubt.${doubt}`)).join(', ')}</strong>
        </p>
        {use?.judged && (
          <p>
            {t('usual', {
              used: withUnit(formatAmount(decimalText(use.judged.consumption)), unit),
              day: formatDate(use.judged.since),
              expected: withUnit(formatAbout(Number(use.judged.expected) / BILLION), unit),
              annual: withUnit(formatAbout(Number(use.judged.annual) / BILLION), unit),
            })}{' '}
            {use.judged.mistake && t(`mistake.${use.judged.mistake}`)}
          </p>
        )}
        {reading.comment && <blockquote>{reading.comment}</blockquote>}
        {reading.confirmedReason && <p>{reading.confirmedReason}</p>}
        {reading.aside && (
          <p>
            {t('asideBy', { by: byWhom(reading.aside.by) })} {reading.aside.note}
          </p>
        )}
        <p className="soft">
          <Link href={paths.customer(tenant, job.account)}>{job.name}</Link> · {placeLine(file.place)}
          {email && (
            <>
              {' · '}
              <a href={`mailto:${email}`}>{email}</a>
            </>
          )}
        </p>
      </section>
      <section className="card" aria-label={t('photos')}>
        {reading.images.length === 0 && <p className="soft">{t('noPhoto')}</p>}
        {reading.images.map((image, index) => (
          <Photo
            key={image}
            tenant={tenant}
            job={file.job.id}
            reading={reading.id}
            image={image}
            label={parts('photo.of', {
              number: index + 1,
              value: formatValue(reading.readingValue),
              day: formatDate(reading.readingDate),
            })}
          />
        ))}
      </section>
      <section className="card" aria-label={t('before')}>
        <h2>{t('before')}</h2>
        {use && <Bars periods={use.periods} unit={unit} band={use.band} isLastNew={use.isLastNew} />}
        <ul className="plain figures">
          {use?.task.readingEvents
            .toReversed()
            .slice(0, 6)
            .map(({ readingDate, readingValue }) => (
              <li key={`${readingDate} ${readingValue}`}>
                {formatDate(readingDate)}: {withUnit(formatValue(readingValue), unit)}
              </li>
            ))}
        </ul>
      </section>
    </div>
  )
}
