import { Button, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Downloads } from '@/components/downloads.tsx'
import { Filter, UnknownFilters } from '@/components/filter.tsx'
import { Heads } from '@/components/heads.tsx'
import { More } from '@/components/more.tsx'
import { OpenFilterWords } from '@/components/open-filter-words.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { useFilters } from '@/data/address.ts'
import { downloadAudit, useAudit } from '@/data/audit.ts'
import { paths } from '@/data/paths.ts'
import { ACTIONS, type Action, type AuditEntry } from '@/data/types.ts'
import { mayAt, useMe } from '@/session/session.ts'
import './audit.css'

const FILTERS = { from: undefined, to: undefined, customer: undefined, member: undefined, action: ACTIONS } as const

/** The key of an action's text: no key has a blank. */
const keyOf = (action: Action) => `action.${action.replaceAll(' ', '-')}` as 'action.desk-login'

/** Who looked at and changed what, the latest first. */
export function AuditPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('audit')
  const { values, unknown, set } = useFilters(FILTERS)
  const action = ACTIONS.find((one) => one === values.action)
  const filter = {
    ...(values.from && { from: values.from }),
    ...(values.to && { to: values.to }),
    ...(values.customer && { customer: values.customer }),
    ...(values.member && { member: values.member }),
    ...(action && { action }),
  }
  const { entries, error, isLoading, hasMore, more, retry } = useAudit(tenant, filter)
  const members = new Map(entries?.flatMap(({ member, by }) => (member ? [[member, by] as const] : [])))
  if (values.member && !members.has(values.member)) members.set(values.member, values.member)
  const day = (name: 'from' | 'to') => (
    <TextField
      size="small"
      type="date"
      name={name}
      label={t(name)}
      value={values[name] ?? ''}
      onChange={({ target }) => set(name, target.value)}
    />
  )
  return (
    <Page
      title={t('title')}
      tools={<Downloads formats={['csv']} download={async () => downloadAudit(tenant, filter, t('file'))} />}
    >
      <p className="soft">{t('note')}</p>
      <UnknownFilters unknown={unknown} />
      <div className="row-of">
        {day('from')}
        {day('to')}
        <CustomerFilter value={values.customer ?? ''} onChange={(value) => set('customer', value)} />
        <Filter
          name="member"
          label={t('member')}
          value={values.member}
          options={[...members]}
          onChange={(value) => set('member', value)}
        />
        <Filter
          name="action"
          label={t('what')}
          value={values.action}
          options={ACTIONS.map((one) => [one, t(keyOf(one))])}
          onChange={(value) => set('action', value)}
        />
      </div>
      <p role="status" className="soft">
        {entries?.length === 0 && t(hasMore ? 'noneYet' : 'none')}
        {entries &&
          entries.length > 0 &&
          t(hasMore ? 'latest' : 'count', { count: entries.length, number: formatCount(entries.length) })}
      </p>
      {(!entries || error !== undefined) && <Pending error={error} retry={retry} />}
      {entries && entries.length > 0 && (
        <Entries tenant={tenant} entries={entries} onMember={(member) => set('member', member)} />
      )}
      <More hasMore={hasMore} isLoading={isLoading} more={more}>
        {t('more')}
      </More>
    </Page>
  )
}

interface CustomerFilterProps {
  value: string
  onChange: (value: string) => void
}

/** Of which customer: each look is in the trail, one for each number, and not for each digit. */
function CustomerFilter({ value, onChange }: CustomerFilterProps) {
  const { t } = useTranslation('audit')
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  return (
    <TextField
      size="small"
      name="customer"
      label={t('customer')}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => onChange(typed.trim())}
      onKeyDown={({ key }) => key === 'Enter' && onChange(typed.trim())}
    />
  )
}

interface EntriesProps {
  tenant: string
  entries: readonly AuditEntry[]
  onMember: (member: string) => void
}

function Entries({ tenant, entries, onMember }: EntriesProps) {
  const { t } = useTranslation('audit')
  const { ofCommand } = useByName()
  const maySee = mayAt(useMe(), tenant, 'support')
  const whom = ({ customer, account }: AuditEntry) => {
    if (!customer) return account && <span className="soft">{t('gone')}</span>
    const name = <span className="identifier">{customer}</span>
    return maySee ? <Link href={paths.customer(tenant, customer)}>{name}</Link> : name
  }
  return (
    <table className="stacks">
      <Heads names={[t('when'), t('who'), t('what'), t('whom'), t('where')]} />
      <tbody>
        {entries.map((entry, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- Two entries may be alike; none moves.
          <tr key={index}>
            <td data-name={t('when')}>{formatInstant(entry.at)}</td>
            <td data-name={t('who')}>
              {entry.member ? (
                <Button
                  size="small"
                  variation="link"
                  className="audit__who"
                  title={t('mine')}
                  onClick={() => entry.member && onMember(entry.member)}
                >
                  {entry.by}
                </Button>
              ) : (
                ofCommand(entry.by)
              )}
            </td>
            <td data-name={t('what')}>
              {/* What a newer version wrote stands under its own name. */}
              {ACTIONS.includes(entry.action) ? t(keyOf(entry.action)) : entry.action}
              {entry.filter && (
                <small className="soft">
                  {' '}
                  <OpenFilterWords filter={entry.filter} />
                </small>
              )}
              {entry.thing && <small className="soft"> {t('thing', { id: entry.thing })}</small>}
            </td>
            <td data-name={t('whom')}>{whom(entry)}</td>
            <td data-name={t('where')}>
              <span className="identifier">{entry.network}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
