import { Link } from 'wouter'
import { formatCount, formatDate, formatInstant, formatValue, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { rateUnit } from '@shared/rules/obis.ts'
import { DayFilter, Filter, UnknownFilters } from '@/components/filter.tsx'
import { Heads } from '@/components/heads.tsx'
import { More } from '@/components/more.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { SeasonFilter } from '@/components/season-filter.tsx'
import { useFilters } from '@/data/address.ts'
import { paths } from '@/data/paths.ts'
import { useReadings } from '@/data/season.ts'
import { type ListedReading, READING_CHANNELS } from '@/data/types.ts'

const FILTERS = { season: undefined, channel: READING_CHANNELS, day: undefined } as const

/** What was read, the latest first, one line a register. */
export function ReadingsPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('season')
  const { t: parts } = useTranslation('parts')
  const { values, unknown, set } = useFilters(FILTERS)
  const channel = READING_CHANNELS.find((known) => known === values.channel)
  const { readings, count, error, isLoading, hasMore, more, retry } = useReadings(tenant, {
    ...(values.season && { season: values.season }),
    ...(channel && { channel }),
    ...(values.day && { day: values.day }),
  })
  return (
    <Page title={t('readings.title')}>
      <UnknownFilters unknown={unknown} />
      <div className="row-of">
        <SeasonFilter tenant={tenant} value={values.season} onChange={(value) => set('season', value)} />
        <Filter
          name="channel"
          label={t('channel')}
          value={values.channel}
          options={READING_CHANNELS.map((known) => [known, parts(`channel.${known}`)])}
          onChange={(value) => set('channel', value)}
        />
        <DayFilter name="day" label={t('readings.day')} value={values.day} onChange={(value) => set('day', value)} />
      </div>
      <p className="soft">{t('readings.about')}</p>
      <p role="status">
        {readings && count !== undefined && t('readings.count', { count, number: formatCount(count) })}
      </p>
      {(!readings || error !== undefined) && <Pending error={error} retry={retry} />}
      {readings && readings.length > 0 && <Rows tenant={tenant} readings={readings} />}
      <More hasMore={hasMore} isLoading={isLoading} more={more}>
        {t('more')}
      </More>
    </Page>
  )
}

function Rows({ tenant, readings }: { tenant: string; readings: readonly ListedReading[] }) {
  const { t } = useTranslation('season')
  const { t: parts } = useTranslation('parts')
  const heads = [t('readings.at'), t('customer'), t('readings.meter'), t('readings.read'), parts('value'), t('channel')]
  const [at = '', customer = '', meter = '', read = '', value = '', way = ''] = heads
  return (
    <table className="stacks">
      <Heads names={heads} />
      <tbody>
        {readings.map((reading) => (
          <tr key={`${reading.job} ${reading.id}`}>
            <td data-name={at}>{formatInstant(reading.created)}</td>
            <td data-name={customer}>
              {reading.account && reading.name !== undefined ? (
                <Link href={paths.customer(tenant, reading.account)}>{reading.name}</Link>
              ) : (
                t('readings.nobody')
              )}
            </td>
            <td data-name={meter} className="identifier">
              {reading.meterNumber}
            </td>
            <td data-name={read}>{formatDate(reading.readingDate)}</td>
            <td data-name={value} className="figures">
              {withUnit(formatValue(reading.readingValue), rateUnit(reading))}
              {reading.isRejected && ` · ${t('readings.rejected')}`}
            </td>
            <td data-name={way}>{parts(`channel.${reading.channel}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
