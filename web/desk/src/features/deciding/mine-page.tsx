import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatInstant, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { dayIn } from '@shared/rules/window.ts'
import { Message } from '@shared/ui/message.tsx'
import { UnknownFilters } from '@/components/filter.tsx'
import { Heads } from '@/components/heads.tsx'
import { More } from '@/components/more.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useFilters } from '@/data/address.ts'
import { undo, useDecisions } from '@/data/deciding.ts'
import { paths } from '@/data/paths.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { valuesLine } from './values-line.ts'

/** What there is to choose beside today; earlier days are not listed. */
const FILTERS = { day: ['yesterday'] } as const
const DAY = 86_400_000
const yesterday = () => dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(Date.now() - DAY))

/** What I decided today or yesterday, each with its way back or the reason why there is none. */
export function MinePage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const problemText = useDeskProblemText()
  const { values, unknown, set } = useFilters(FILTERS)
  const isYesterday = values.day === 'yesterday'
  const { decisions, error, isLoading, hasMore, more, retry } = useDecisions(
    tenant,
    isYesterday ? yesterday() : undefined,
  )
  const [failure, setFailure] = useState<unknown>()
  const takeBack = async (job: string, reading: string, made: string) => {
    setFailure(undefined)
    try {
      await undo(tenant, job, reading, made)
    } catch (caught) {
      setFailure(caught)
    }
    retry()
  }
  return (
    <Page
      title={t(isYesterday ? 'mineYesterday' : 'mine')}
      tools={
        <Button onClick={() => set('day', isYesterday ? '' : 'yesterday')}>
          {t(isYesterday ? 'today' : 'yesterday')}
        </Button>
      }
    >
      <UnknownFilters unknown={unknown} />
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      {(!decisions || error !== undefined) && <Pending error={error} retry={retry} />}
      {decisions?.length === 0 && !hasMore && <p>{t(isYesterday ? 'noneYesterday' : 'noneToday')}</p>}
      {decisions && decisions.length > 0 && (
        <table className="stacks">
          <Heads names={[t('when'), t('customer'), t('meter'), parts('value'), t('reason'), t('decided'), t('act')]} />
          <tbody>
            {decisions.map(({ job, account, reading, withoutJob, decision }) => (
              <tr key={`${job} ${reading?.id ?? ''} ${decision.at}`}>
                <td data-name={t('when')}>{formatInstant(decision.at)}</td>
                <td data-name={t('customer')}>
                  {account ? (
                    <Link href={paths.customer(tenant, account)}>
                      <span className="identifier">{account}</span>
                    </Link>
                  ) : (
                    withoutJob?.contact && `${withoutJob.contact.firstname} ${withoutJob.contact.lastname}`
                  )}
                </td>
                <th scope="row" data-name={t('meter')} className="identifier">
                  {(reading ?? withoutJob)?.meterNumber ?? job}
                </th>
                <td data-name={parts('value')} className="figures">
                  {reading ? formatValue(reading.readingValue) : withoutJob && valuesLine(withoutJob)}
                </td>
                <td data-name={t('reason')}>
                  {(reading?.doubts ?? ['WITHOUT_JOB' as const]).map((doubt) => parts(`doubt.${doubt}`)).join(', ')}
                </td>
                <td data-name={t('decided')} className="long">
                  {parts(`made.${decision.kind}`)}
                  {decision.proposedBy && `, ${t('agreedTo', { name: decision.proposedBy })}`}
                  {decision.reason && ` · ${decision.reason}`}
                </td>
                <td data-name={t('act')} className={decision.taken ? 'long' : undefined}>
                  {decision.taken ? (
                    <>
                      {t(decision.taken.export ? 'takenByExport' : 'takenByMessage', { number: decision.taken.export })}{' '}
                      <Link
                        href={paths.decideAnew(
                          tenant,
                          decision.assignedTo ?? job,
                          decision.correctedBy ?? (reading ?? withoutJob)?.id ?? job,
                        )}
                        aria-label={`${parts('decideAnew')}: ${(reading ?? withoutJob)?.meterNumber ?? job}, ${formatInstant(decision.at)}`}
                      >
                        {parts('decideAnew')}
                      </Link>
                    </>
                  ) : (
                    <Button
                      size="small"
                      aria-label={`${t('undo')}: ${(reading ?? withoutJob)?.meterNumber ?? job}, ${formatInstant(decision.at)}`}
                      onClick={() => void takeBack(job, reading?.id ?? job, decision.at)}
                    >
                      {t('undo')}
                    </Button>
                  )}
                </td>
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
