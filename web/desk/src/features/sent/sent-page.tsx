import { SelectField } from '@aws-amplify/ui-react'
import { Link } from 'wouter'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { DayFilter, UnknownFilters } from '@/components/filter.tsx'
import { Heads } from '@/components/heads.tsx'
import { More } from '@/components/more.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useFilters } from '@/data/address.ts'
import { paths } from '@/data/paths.ts'
import { MAIL_KINDS, useMails } from '@/data/season.ts'

const FILTERS = { kind: MAIL_KINDS, day: undefined } as const

/** The mails of a kind that were sent, the latest first, and what became of each. */
export function SentPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('season')
  const { t: parts } = useTranslation('parts')
  const { values, unknown, set } = useFilters(FILTERS)
  const kind = MAIL_KINDS.find((known) => known === values.kind) ?? 'reminder'
  const { mails, error, isLoading, hasMore, more, retry } = useMails(tenant, kind, values.day)
  return (
    <Page title={t('mails.title')}>
      <UnknownFilters unknown={unknown} />
      <div className="row-of">
        <SelectField
          size="small"
          name="kind"
          label={t('what')}
          value={kind}
          onChange={({ target }) => set('kind', target.value)}
        >
          {MAIL_KINDS.map((known) => (
            <option key={known} value={known}>
              {t(`kind.${known}`)}
            </option>
          ))}
        </SelectField>
        <DayFilter name="day" label={t('mails.day')} value={values.day} onChange={(value) => set('day', value)} />
      </div>
      <p className="soft">{t('mails.kept')}</p>
      {(!mails || error !== undefined) && <Pending error={error} retry={retry} />}
      <p role="status">{mails?.length === 0 && t('mails.none')}</p>
      {mails && mails.length > 0 && (
        <table className="stacks">
          <Heads names={[t('mails.at'), t('customer'), t('mails.state')]} />
          <tbody>
            {mails.map(({ account, name, state, at }) => (
              <tr key={`${account} ${at}`}>
                <td data-name={t('mails.at')}>{formatInstant(at)}</td>
                <td data-name={t('customer')}>
                  {name === undefined ? t('mails.nobody') : <Link href={paths.customer(tenant, account)}>{name}</Link>}
                </td>
                <td data-name={t('mails.state')}>{parts(`mailState.${state}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <More hasMore={hasMore} isLoading={isLoading} more={more}>
        {t('more')}
      </More>
    </Page>
  )
}
