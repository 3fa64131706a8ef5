import { Button } from '@aws-amplify/ui-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiError } from '@shared/api/client.ts'
import { formatCount, formatDate, formatInstant, formatPercent } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Filter, UnknownFilters } from '@/components/filter.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useKindName } from '@/components/use-kind-name.ts'
import { useFilters } from '@/data/address.ts'
import { paths } from '@/data/paths.ts'
import { MAIL_KINDS, useSeason } from '@/data/season.ts'
import { METER_TYPES, READING_CHANNELS, type Season } from '@/data/types.ts'
import { mayAt, useMe } from '@/session/session.ts'
import { curve, dayAfter, lineOf } from './curve.ts'
import { Hours } from './hours.tsx'
import './season.css'
import { SeasonActions } from './season-actions.tsx'
import { Weeks } from './weeks.tsx'

const percent = (done: number, jobs: number) => formatPercent(jobs === 0 ? 0 : (done / jobs) * 100)

const FILTERS = { season: undefined } as const

/** The season at a glance; every number leads to the list behind it. */
export function SeasonPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('season')
  const { values, unknown, set } = useFilters(FILTERS)
  const { data, error, retry, reload } = useSeason(tenant, values.season)
  const isLead = mayAt(useMe(), tenant, 'lead')
  if (!data)
    return (
      <Page title={t('title')}>
        <UnknownFilters unknown={unknown} />
        {values.season && error instanceof ApiError && error.code === 'not-found' ? (
          <Message type="error" role="alert">
            <p>{t('noSeason')}</p>
            <Button size="small" onClick={() => set('season', '')}>
              {t('otherSeason')}
            </Button>
          </Message>
        ) : (
          <Pending error={error} retry={retry} />
        )}
      </Page>
    )
  const mended = isLead ? data.season : undefined
  return (
    <Page title={t('title')} tools={<p className="soft">{t('asOf', { when: formatInstant(data.figures.asOf) })}</p>}>
      <UnknownFilters unknown={unknown} />
      {(data.seasons.length > 1 || data.season) && (
        <div className="row-of">
          {data.seasons.length === 1 && data.season && <strong>{data.season.name}</strong>}
          {data.seasons.length > 1 && (
            <Filter
              name="season"
              label={t('season')}
              value={values.season ?? data.season?.id}
              options={data.seasons.map(({ id, name }) => [id, name])}
              onChange={(value) => set('season', value)}
            />
          )}
          {mended && <SeasonActions tenant={tenant} season={mended} reload={reload} onGone={() => set('season', '')} />}
        </div>
      )}
      <Numbers tenant={tenant} data={data} />
      <div className="columns">
        <Curve data={data} />
        <Shares tenant={tenant} data={data} />
        <Channels tenant={tenant} data={data} />
        <Hours data={data} />
        <Sent tenant={tenant} data={data} />
        <Deadlines tenant={tenant} data={data} />
      </div>
    </Page>
  )
}

function queryOf(season: Season['season'], more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(season && { season: season.id }), ...more }).toString()
  return query && `?${query}`
}

function Numbers({ tenant, data: { season, figures, before } }: { tenant: string; data: Season }) {
  const { t } = useTranslation('season')
  const open = figures.jobs - figures.done
  const mails = Object.values(figures.mails).reduce((sum, count) => sum + count, 0)
  const tile = (label: string, value: string, href?: string, note?: ReactNode): ReactNode => (
    <div className="card tile">
      <span>{label}</span>
      {href === undefined && <strong className="figures">{value}</strong>}
      {href?.startsWith('#') && (
        <a href={href} className="tile__link figures">
          {value}
        </a>
      )}
      {href && !href.startsWith('#') && (
        <Link href={href} className="tile__link figures">
          {value}
        </Link>
      )}
      {note && <small>{note}</small>}
    </div>
  )
  const { waitingForClearing, waitingWithoutJob } = figures
  const deciding = paths.area(tenant, 'deciding')
  const rateBefore =
    before && t('before', { name: before.season.name, rate: percent(before.figures.done, before.figures.jobs) })
  return (
    <div className="tiles">
      {tile(t('rate'), percent(figures.done, figures.jobs), undefined, rateBefore ?? undefined)}
      {tile(
        t('done'),
        t('of', { done: formatCount(figures.done), jobs: formatCount(figures.jobs) }),
        `${paths.readings(tenant)}${queryOf(season)}`,
      )}
      {tile(t('open'), formatCount(open), `${paths.area(tenant, 'open')}${queryOf(season)}`)}
      {tile(
        t('overdue'),
        formatCount(figures.overdue),
        `${paths.area(tenant, 'open')}${queryOf(season, { overdue: 'true' })}`,
      )}
      {tile(
        t('waiting'),
        // Without a season the list behind it has them all.
        formatCount(season ? waitingForClearing : waitingForClearing + waitingWithoutJob),
        `${deciding}${queryOf(season)}`,
        waitingWithoutJob > 0 && (
          <Link href={`${deciding}?reason=WITHOUT_JOB`}>
            {t(season ? 'waitingWithoutJob' : 'waitingOfThemWithoutJob', { number: formatCount(waitingWithoutJob) })}
          </Link>
        ),
      )}
      {tile(
        t('sent'),
        formatCount(figures.letters + mails),
        figures.letters + mails > 0 ? '#sent' : undefined,
        [
          t('sentLetters', { count: figures.letters, number: formatCount(figures.letters) }),
          t('sentMails', { count: mails, number: formatCount(mails) }),
        ].join(', '),
      )}
    </div>
  )
}

const [WIDTH, HEIGHT] = [400, 160]
const DAY = 86_400_000

/** The share that has come in by day, this season's against that of the year before. */
function Curve({ data: { season, figures, before } }: { data: Season }) {
  const { t } = useTranslation('season')
  const first = season?.firstDay ?? Object.keys(figures.byDay).toSorted()[0] ?? figures.today
  const length = season ? (Date.parse(season.lastDay) - Date.parse(season.firstDay)) / DAY : 0
  const own = curve(figures.byDay, figures.jobs, first)
  const old = before ? curve(before.figures.byDay, before.figures.jobs, before.season.firstDay) : []
  const last = Math.max(length, own.at(-1)?.day ?? 0, old.at(-1)?.day ?? 0)
  return (
    <section className="card">
      <h2>{t('curve')}</h2>
      <div className="curve-box">
        <svg
          className="curve"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="img"
          aria-label={t('curveLabel', { rate: percent(figures.done, figures.jobs) })}
        >
          <path className="curve__grid" d={`M0 ${HEIGHT / 2}H${WIDTH}M0 1H${WIDTH}M0 ${HEIGHT - 1}H${WIDTH}`} />
          {old.length > 0 && <polyline className="curve__before" points={lineOf(old, last, WIDTH, HEIGHT)} />}
          <polyline className="curve__now" points={lineOf(own, last, WIDTH, HEIGHT)} />
        </svg>
        {[100, 50].map((share) => (
          <small key={share} className="curve__share" style={{ insetBlockEnd: `${share}%` }} aria-hidden="true">
            {formatPercent(share)}
          </small>
        ))}
      </div>
      <p className="hours__axis" aria-hidden="true">
        <span>{formatDate(first)}</span>
        <span>{formatDate(dayAfter(first, last))}</span>
      </p>
      <p className="curve__legend">
        <span className="curve__key curve__key--now">{season?.name ?? t('all')}</span>
        {before && <span className="curve__key curve__key--before">{before.season.name}</span>}
      </p>
      <details>
        <summary>{t('weeksAll')}</summary>
        <Weeks
          first={first}
          last={last}
          today={figures.today}
          own={own}
          old={old}
          names={[season?.name ?? t('all'), before?.season.name]}
        />
      </details>
    </section>
  )
}

/** What the API calls the districts that it counts together. */
const OTHER_DISTRICTS = '…'

interface Share {
  label: string
  share: Season['figures']['byDistrict'][string]
  query: Record<string, string> | undefined
}

function Shares({ tenant, data: { season, figures } }: { tenant: string; data: Season }) {
  const { t } = useTranslation('season')
  const kindName = useKindName()
  const media = METER_TYPES.flatMap((type): Share[] => {
    const share = figures.byMeterType[type]
    return share ? [{ label: kindName(type), share, query: { meterType: type } }] : []
  })
  const districts = Object.entries(figures.byDistrict).map(
    ([district, share]): Share =>
      district === OTHER_DISTRICTS
        ? { label: t('otherDistricts'), share, query: undefined }
        : { label: district, share, query: { inDistrict: district } },
  )
  // Those that are furthest behind come first.
  const behind = districts.toSorted((one, other) => rateOf(one.share) - rateOf(other.share))
  return [
    { title: t('media'), rows: media },
    { title: t('districts'), rows: behind },
  ].map(
    ({ title, rows }) =>
      rows.length > 0 && (
        <section key={title} className="card">
          <h2>{title}</h2>
          <ul className="plain">
            {rows.map(({ label, share, query }) => (
              <li key={label} className="meter-bar">
                {query ? <Link href={`${paths.area(tenant, 'open')}${queryOf(season, query)}`}>{label}</Link> : label}
                <progress max={Math.max(share.jobs, 1)} value={share.done} aria-label={label} />
                <span className="figures">
                  {percent(share.done, share.jobs)}{' '}
                  {t('share', { done: formatCount(share.done), jobs: formatCount(share.jobs) })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ),
  )
}

const rateOf = ({ done, jobs }: Share['share']) => (jobs === 0 ? 1 : done / jobs)

function Channels({ tenant, data: { season, figures, before } }: { tenant: string; data: Season }) {
  const { t } = useTranslation('season')
  const { t: parts } = useTranslation('parts')
  const shown = READING_CHANNELS.filter((channel) => figures.byChannel[channel] || before?.figures.byChannel[channel])
  if (shown.length === 0) return null
  return (
    <section className="card">
      <h2>{t('channels')}</h2>
      <BesideBefore
        head={t('channel')}
        before={before?.season.name}
        rows={shown.map((channel) => [
          parts(`channel.${channel}`),
          figures.byChannel[channel] ?? 0,
          before?.figures.byChannel[channel] ?? 0,
          `${paths.readings(tenant)}${queryOf(season, { channel })}`,
        ])}
      />
    </section>
  )
}

interface BesideProps {
  head: string
  /** The name of the season of the year before, if there was one. */
  before: string | undefined
  /** Each may lead to the list behind it. */
  rows: readonly (readonly [label: string, now: number, before: number, href?: string | undefined])[]
}

/** Numbers, each beside that of the year before. */
function BesideBefore({ head, before, rows }: BesideProps) {
  const { t } = useTranslation('season')
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" className="number">
            {t('now')}
          </th>
          {before !== undefined && (
            <th scope="col" className="number">
              {before}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, now, then, href]) => (
          <tr key={label}>
            <th scope="row">{href === undefined ? label : <Link href={href}>{label}</Link>}</th>
            <td className="number">{formatCount(now)}</td>
            {before !== undefined && <td className="number">{formatCount(then)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const SENT = ['letter', ...MAIL_KINDS] as const

function Sent({ tenant, data: { figures, before } }: { tenant: string; data: Season }) {
  const { t } = useTranslation('season')
  const seesLetters = mayAt(useMe(), tenant, 'lead')
  const listOf = (kind: (typeof SENT)[number]) => {
    if (kind !== 'letter') return paths.sent(tenant, kind)
    return seesLetters ? paths.area(tenant, 'letters') : undefined
  }
  const of = ({ mails, letters }: Season['figures'], kind: (typeof SENT)[number]) =>
    kind === 'letter' ? letters : (mails[kind] ?? 0)
  const shown = SENT.filter((kind) => of(figures, kind) + (before ? of(before.figures, kind) : 0) > 0)
  return (
    <section className="card">
      <h2 id="sent" tabIndex={-1}>
        {t('sent')}
      </h2>
      {shown.length === 0 ? (
        <p className="soft">{t('none')}</p>
      ) : (
        <BesideBefore
          head={t('what')}
          before={before?.season.name}
          rows={shown.map((kind) => [
            t(`kind.${kind}`),
            of(figures, kind),
            before ? of(before.figures, kind) : 0,
            listOf(kind),
          ])}
        />
      )}
    </section>
  )
}

function Deadlines({ tenant, data: { season, figures } }: { tenant: string; data: Season }) {
  const { t } = useTranslation('season')
  const days = Object.entries(figures.nearDeadline).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (days.length === 0) return null
  return (
    <section className="card">
      <h2>{t('deadlines')}</h2>
      <ul className="plain figures">
        {days.map(([day, count]) => (
          <li key={day}>
            <Link href={`${paths.area(tenant, 'open')}${queryOf(season, { dueUntil: day })}`}>{formatDate(day)}</Link>:{' '}
            {formatCount(count)}
          </li>
        ))}
      </ul>
    </section>
  )
}
