import { Button, TextField } from '@aws-amplify/ui-react'
import { Link } from 'wouter'
import { formatCount, formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Downloads } from '@/components/downloads.tsx'
import { DayFilter, Filter, UnknownFilters } from '@/components/filter.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { placeLine } from '@/components/place.ts'
import { useFilters } from '@/data/address.ts'
import { paths } from '@/data/paths.ts'
import { downloadOpen, useOpen } from '@/data/season.ts'
import { METER_TYPES, type OpenRow } from '@/data/types.ts'

const FILTERS = {
  season: undefined,
  meterType: METER_TYPES,
  district: undefined,
  dueUntil: undefined,
  overdue: ['true'],
  email: ['true', 'false'],
} as const

/** Who has not answered, one line a meter, and the same as a file. */
export function OpenPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('open')
  const { t: common } = useTranslation()
  const { values, unknown, set } = useFilters(FILTERS)
  const meterType = METER_TYPES.find((type) => type === values.meterType)
  const filter = {
    ...(values.season && { season: values.season }),
    ...(meterType && { meterType }),
    ...(values.district && { district: values.district }),
    ...(values.dueUntil && { dueUntil: values.dueUntil }),
    ...(values.overdue && { overdue: true }),
    ...(values.email && { email: values.email === 'true' }),
  }
  const { rows, count, isMore, error, isLoading, hasMore, more, retry } = useOpen(tenant, filter)
  const yes = [['true', t('yes')]] as const
  return (
    <Page
      title={t('title')}
      tools={
        <Downloads
          formats={['csv', 'xlsx']}
          download={async (format) => downloadOpen(tenant, filter, format, t('file'))}
        />
      }
    >
      <UnknownFilters unknown={unknown} />
      <div className="row-of">
        <Filter
          name="meterType"
          label={t('meterType')}
          value={values.meterType}
          options={METER_TYPES.map((type) => [type, common(`meterType.${type}`)])}
          onChange={(value) => set('meterType', value)}
        />
        <TextField
          size="small"
          name="district"
          label={t('district')}
          value={values.district ?? ''}
          onChange={({ target }) => set('district', target.value)}
        />
        <DayFilter
          name="dueUntil"
          label={t('dueUntil')}
          value={values.dueUntil}
          onChange={(value) => set('dueUntil', value)}
        />
        <Filter
          name="overdue"
          label={t('overdue')}
          value={values.overdue}
          options={yes}
          onChange={(value) => set('overdue', value)}
        />
        <Filter
          name="email"
          label={t('email')}
          value={values.email}
          options={[...yes, ['false', t('no')]]}
          onChange={(value) => set('email', value)}
        />
      </div>
      <p role="status">
        {rows && count !== undefined && t(isMore ? 'moreThan' : 'count', { count, number: formatCount(count) })}
      </p>
      {!rows && <Pending error={error} retry={retry} />}
      {rows && rows.length > 0 && <Rows tenant={tenant} rows={rows} />}
      {hasMore && (
        <Button onClick={more} isLoading={isLoading}>
          {t('more')}
        </Button>
      )}
    </Page>
  )
}

function Rows({ tenant, rows }: { tenant: string; rows: readonly OpenRow[] }) {
  const { t } = useTranslation('open')
  const { t: common } = useTranslation()
  return (
    <table className="stacks">
      <Heads names={[t('customer'), t('place'), t('meter'), t('deadline'), t('email')]} />
      <tbody>
        {rows.map(({ job, account, name, place, meterType, meterNumber, deadline, overdue, email }) => (
          <tr key={job}>
            <td data-name={t('customer')}>
              <Link href={paths.customer(tenant, account)}>{name}</Link>
            </td>
            <td data-name={t('place')}>{placeLine(place)}</td>
            <td data-name={t('meter')}>
              {common(`meterType.${meterType}`)} <span className="identifier">{meterNumber}</span>
            </td>
            <td data-name={t('deadline')}>
              {deadline && formatDate(deadline)}
              {overdue && ` · ${t('isOverdue')}`}
            </td>
            <td data-name={t('email')}>{t(email ? 'yes' : 'no')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
