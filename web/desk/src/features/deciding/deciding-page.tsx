import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { formatCount, formatDate, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Filter, UnknownFilters } from '@/components/filter.tsx'
import { More } from '@/components/more.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { SeasonFilter } from '@/components/season-filter.tsx'
import { useKindName } from '@/components/use-kind-name.ts'
import { useFilters } from '@/data/address.ts'
import { useWaiting } from '@/data/deciding.ts'
import { paths } from '@/data/paths.ts'
import { DOUBTS, METER_TYPES, type Reading, type ReadingWithoutJob, type WaitingItem } from '@/data/types.ts'
import { ActionButton } from '@/keys/action-button.tsx'
import { useActions } from '@/keys/actions.ts'
import { FILTERS, isNarrowed, waitingFilter } from './filter.ts'
import { Several } from './several.tsx'
import { useProposalLine } from './use-proposal-line.ts'
import { keyOf, MOST, useSelection } from './use-selection.ts'
import { valuesLine } from './values-line.ts'
import './deciding.css'

const senderName = ({ contact, sender }: ReadingWithoutJob) =>
  contact ? `${contact.firstname} ${contact.lastname}` : (sender ?? '')

const asideLine = (aside: Reading['aside']) => aside && `${aside.note} (${aside.by})`

/** What waits for a clerk, one line each. */
export function DecidingPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const kindName = useKindName()
  const [, navigate] = useLocation()
  const { values, unknown, set, query } = useFilters(FILTERS)
  const filter = waitingFilter(values)
  const { items, count, error, isLoading, hasMore, more, retry } = useWaiting(tenant, filter)
  const nothing = t(isNarrowed(filter) ? 'nothingChosen' : 'nothing')
  const { chosen, isChosen, toggle, clear } = useSelection(items ?? [])
  const isFull = chosen.length === MOST
  const start = {
    key: 'n',
    label: t('start'),
    run: () => navigate(`${paths.decision(tenant)}${query && `?${query}`}`),
    reason: items && count === 0 ? nothing : undefined,
  }
  useActions([start])
  return (
    <Page
      title={t('title')}
      tools={
        <>
          <Link href={paths.decided(tenant)} className="button-link button-link--small button-link--plain">
            {t('mine')}
          </Link>
          <ActionButton action={start} variation="primary" />
        </>
      }
    >
      <UnknownFilters unknown={unknown} />
      <div className="row-of">
        <SeasonFilter tenant={tenant} value={values.season} onChange={(value) => set('season', value)} />
        <Filter
          name="reason"
          label={t('reason')}
          value={values.reason}
          options={DOUBTS.map((doubt) => [doubt, parts(`doubt.${doubt}`)])}
          onChange={(value) => set('reason', value)}
        />
        <Filter
          name="meterType"
          label={t('meterType')}
          value={values.meterType}
          options={METER_TYPES.map((type) => [type, kindName(type)])}
          onChange={(value) => set('meterType', value)}
        />
        <p role="status">{items && (count === 0 ? nothing : t('count', { count, number: formatCount(count) }))}</p>
      </div>
      {(!items || error !== undefined) && <Pending error={error} retry={retry} />}
      <div>
        {items && items.length > 0 && (
          <table className="stacks">
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">{t('choose')}</span>
                </th>
                <th scope="col">{parts('day')}</th>
                <th scope="col">{t('customer')}</th>
                <th scope="col">{t('meter')}</th>
                <th scope="col">{parts('value')}</th>
                <th scope="col">{t('reason')}</th>
                <th scope="col">{t('aside')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item, place) => (
                <Row key={keyOf(item)} tenant={tenant} item={item} query={query}>
                  <input
                    type="checkbox"
                    className="choice"
                    checked={isChosen(item)}
                    disabled={isFull && !isChosen(item)}
                    title={isFull ? t('chosenMost', { number: formatCount(MOST) }) : undefined}
                    aria-label={t('chooseOne', { number: (item.reading ?? item.withoutJob)?.meterNumber ?? item.job })}
                    onChange={({ nativeEvent }) =>
                      toggle(place, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                    }
                  />
                </Row>
              ))}
            </tbody>
          </table>
        )}
        <Several tenant={tenant} chosen={chosen} clear={clear} onDone={retry} />
      </div>
      <More hasMore={hasMore} isLoading={isLoading} more={more}>
        {t('more')}
      </More>
    </Page>
  )
}

interface RowProps {
  tenant: string
  item: WaitingItem
  /** The list's filter, which the decision's screen goes on with. */
  query: string
  /** By what it is chosen. */
  children: ReactNode
}

function Row({ tenant, item, query, children }: RowProps) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const { t: common } = useTranslation()
  const proposalLine = useProposalLine()
  const { job, account, name, meterType, district, reading, withoutJob } = item
  return (
    <tr>
      <td>{children}</td>
      <td data-name={parts('day')}>
        <Link href={`${paths.decide(tenant, job, reading?.id ?? job)}${query && `?${query}`}`}>
          {formatDate((reading ?? withoutJob)?.readingDate ?? '')}
        </Link>
      </td>
      <td data-name={t('customer')}>
        {account && <Link href={paths.customer(tenant, account)}>{name ?? account}</Link>}
        {!account && (withoutJob ? senderName(withoutJob) : t('nobody'))}
      </td>
      <td data-name={t('meter')}>
        {meterType && common(`meterType.${meterType}`)}{' '}
        <span className="identifier">{(reading ?? withoutJob)?.meterNumber}</span>
        {district && ` · ${district}`}
      </td>
      <td data-name={parts('value')} className="figures">
        {reading ? formatValue(reading.readingValue) : withoutJob && valuesLine(withoutJob)}
      </td>
      <td data-name={t('reason')}>
        {(reading?.doubts ?? (['WITHOUT_JOB'] as const)).map((doubt) => parts(`doubt.${doubt}`)).join(', ')}
      </td>
      <td data-name={t('aside')}>
        {reading?.proposal ? proposalLine(reading.proposal) : asideLine((reading ?? withoutJob)?.aside)}
      </td>
    </tr>
  )
}
