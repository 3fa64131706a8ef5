import { Link } from 'wouter'
import { formatCount, formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Downloads } from '@/components/downloads.tsx'
import { UnknownFilters } from '@/components/filter.tsx'
import { Heads } from '@/components/heads.tsx'
import { More } from '@/components/more.tsx'
import { OpenFilterFields } from '@/components/open-filter-fields.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { placeLine } from '@/components/place.ts'
import { choosable } from '@/components/season-filter.tsx'
import { useFilters } from '@/data/address.ts'
import { ALL_SEASONS, filterOf, OPEN_FILTERS } from '@/data/open-filter.ts'
import { paths } from '@/data/paths.ts'
import { downloadOpen, useOpen, useSeason } from '@/data/season.ts'
import type { OpenFilter, OpenRow } from '@/data/types.ts'
import { mayAt, useMe } from '@/session/session.ts'

/** The open list, one line a meter, and the same as a file. */
export function OpenPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('open')
  const isLead = mayAt(useMe(), tenant, 'lead')
  const { values, unknown, set } = useFilters(OPEN_FILTERS)
  const { data: season, error: noSeason, retry: askSeason } = useSeason(tenant, undefined)
  // Unless the address names a season, it is the one that the season at a glance shows.
  const shown = { ...(season?.season && { season: season.season.id }), ...values }
  const filter = season || values.season ? filterOf(shown) : undefined
  const { rows, count, isMore, error, isLoading, hasMore, more, retry } = useOpen(tenant, filter)
  // Where only each job says whether it is wanted, the number is known when all are shown.
  const known = count ?? (hasMore ? undefined : rows?.length)
  const failure = error ?? (filter ? undefined : noSeason)
  return (
    <Page
      title={t('title')}
      tools={
        filter && (
          <Downloads
            formats={['csv', 'xlsx']}
            download={async (format) => downloadOpen(tenant, filter, format, t('file'))}
          />
        )
      }
    >
      <UnknownFilters unknown={unknown} />
      {filter && (
        <OpenFilterFields
          values={{ ...shown, season: filter.season ?? '' }}
          set={(name, value) => set(name, name === 'season' ? value || ALL_SEASONS : value)}
          seasons={choosable(season?.seasons ?? [], filter.season)}
        />
      )}
      <p role="status">
        {known !== undefined && t(isMore ? 'moreThan' : 'count', { count: known, number: formatCount(known) })}
        {hasMore && rows?.length === 0 && t('noneYet')}
      </p>
      {(!rows || failure !== undefined) && <Pending error={failure} retry={filter ? retry : askSeason} />}
      {isLead && filter && rows && (rows.length > 0 || hasMore) && <WriteTo tenant={tenant} filter={filter} />}
      {rows && rows.length > 0 && <Rows tenant={tenant} rows={rows} />}
      <More hasMore={hasMore} isLoading={isLoading} more={more}>
        {t('more')}
      </More>
    </Page>
  )
}

/** What a lead may have sent to the customers on the list. */
function WriteTo({ tenant, filter }: { tenant: string; filter: OpenFilter }) {
  const { t } = useTranslation('open')
  return (
    <div className="row-of">
      <Link href={paths.toOpen(tenant, 'letters', filter)}>{t('letters')}</Link>
      <Link href={paths.toOpen(tenant, 'letters', filter, 'invite')}>{t('invitations')}</Link>
      {/* Only customers with an address are reminded. */}
      {filter.email !== false && <Link href={paths.toOpen(tenant, 'reminders', filter)}>{t('reminders')}</Link>}
    </div>
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
