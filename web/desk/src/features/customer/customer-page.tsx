import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatCount, formatDate, formatDayOf, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { More } from '@/components/more.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { useCustomer } from '@/data/customer.ts'
import { letterNotReturned } from '@/data/letters.ts'
import type { Customer, JobFile } from '@/data/types.ts'
import { Communication } from './communication.tsx'
import { Facts } from './facts.tsx'
import { JobCard } from './job-card.tsx'
import { LoginDialog } from './login-dialog.tsx'
import { Mend } from './mend.tsx'
import { Preview } from './preview.tsx'

/** Where jobs are that were imported without a season. */
const NO_SEASON = 'default'

/** A customer on one screen. */
export function CustomerPage({ tenant, id }: { tenant: string; id: string }) {
  const { t } = useTranslation('customer')
  const { customer, jobs, error, isLoading, hasMore, more, retry } = useCustomer(tenant, id)
  if (!customer)
    return (
      <Page key="pending" title={t('title')}>
        <Pending error={error} retry={retry} />
      </Page>
    )
  const waiting = jobs.flatMap(({ readings }) => readings.filter(({ state }) => state === 'waits')).length
  return (
    // What was asked or done for one customer is none of the next one's, who may be there at once.
    <Page key={`customer ${id}`} title={customer.name}>
      {waiting > 0 && <Message type="warning">{t('waiting', { count: waiting })}</Message>}
      <p className="soft">{t('watched')}</p>
      <div className="row-of">
        <Preview tenant={tenant} account={customer.account} />
      </div>
      <div className="columns">
        <Contact customer={customer} />
        <Login tenant={tenant} customer={customer} onRenewed={retry} />
        <Communication tenant={tenant} customer={customer} onChanged={retry} />
        <Mails tenant={tenant} customer={customer} onChanged={retry} />
      </div>
      {customer.isCut && <p className="soft">{t('cut')}</p>}
      {bySeason(jobs).map(([season, files]) => (
        <section key={season} className="page">
          <h2>{season === NO_SEASON ? t('noSeason') : t('season', { name: season })}</h2>
          {files.map((file) => (
            <JobCard key={file.job.id} tenant={tenant} file={file} />
          ))}
        </section>
      ))}
      {jobs.length === 0 && !hasMore && <p>{t('noJobs')}</p>}
      <More hasMore={hasMore} isLoading={isLoading} more={more}>
        {t('moreJobs')}
      </More>
    </Page>
  )
}

/** Links without an end are stored with one in the year 9999. */
const FOREVER = '9000'

/** The jobs by season, the latest name first. */
function bySeason(jobs: readonly JobFile[]): [string, JobFile[]][] {
  const seasons = new Map<string, JobFile[]>()
  for (const file of jobs) seasons.set(file.season, [...(seasons.get(file.season) ?? []), file])
  return [...seasons].toSorted(([a], [b]) => (a < b ? 1 : -1))
}

/** Of a tenant's languages those that each tenant has; others are shown by their name. */
const LANGUAGES = ['de-FORMAL', 'de-INFORMAL', 'en-FORMAL'] as const

function Contact({ customer }: { customer: Customer }) {
  const { t } = useTranslation('customer')
  const language = LANGUAGES.find((known) => known === customer.language)
  const facts: [string, string | null | undefined][] = [
    [t('number'), customer.account],
    [t('username'), customer.username],
    [t('validUntil'), customer.validUntil && formatDate(customer.validUntil)],
    [t('language'), language ? t(`languages.${language}`) : customer.language],
  ]
  return (
    <section className="card">
      <h2>{t('contact')}</h2>
      <Facts facts={facts} />
    </section>
  )
}

interface LoginProps {
  tenant: string
  customer: Customer
  /** The customer has other login data now. */
  onRenewed: () => void
}

function Login({ tenant, customer, onRenewed }: LoginProps) {
  const { t } = useTranslation('customer')
  const [isAsking, setAsking] = useState(false)
  const [isMade, setMade] = useState(false)
  const { link, loginTries, sessions, shares } = customer
  return (
    <section className="card">
      <h2>{t('login')}</h2>
      <Facts
        facts={[
          [
            t('link'),
            link && (link.until > FOREVER ? t('linkForever') : t('linkUntil', { when: formatInstant(link.until) })),
          ],
          [t('lastLogin'), loginTries.last ? formatInstant(loginTries.last) : t('never')],
          [t('failed'), formatCount(loginTries.failed)],
          [t('sessions'), sessions.map((one) => formatInstant(one.usedAt)).join('; ')],
          [t('withoutJob'), customer.withoutJob > 0 ? formatCount(customer.withoutJob) : undefined],
        ]}
      />
      {shares.length > 0 && (
        <>
          <h3>{t('shares')}</h3>
          <ul className="plain">
            {shares.map(({ account, name, jobCount, created }) => (
              <li key={account}>
                {name} · {t('shareJobs', { count: jobCount })} · {formatDayOf(created)}
              </li>
            ))}
          </ul>
        </>
      )}
      <Button onClick={() => setAsking(true)}>{t('newLogin')}</Button>
      <div role="status">{isMade && <Message type="success">{t('newLoginMade')}</Message>}</div>
      {isAsking && (
        <LoginDialog
          tenant={tenant}
          customer={customer}
          onDone={() => {
            setAsking(false)
            setMade(true)
            onRenewed()
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

const MAIL_KINDS = [
  'access',
  'confirmation',
  'receipt',
  'unknown-receipt',
  'reminder',
  'invitation',
  'address-changed',
  'rejection',
] as const

const isMailKind = (kind: string): kind is (typeof MAIL_KINDS)[number] => MAIL_KINDS.some((known) => known === kind)

interface MailsProps {
  tenant: string
  customer: Customer
  onChanged: () => void
}

function Mails({ tenant, customer, onChanged }: MailsProps) {
  const { account, letters, letterReturnedAt, link, mails, invitedAt, remindedAt } = customer
  const { t } = useTranslation('customer')
  const { t: parts } = useTranslation('parts')
  const { nameOf } = useByName()
  return (
    <section className="card">
      <h2>{t('mails')}</h2>
      <Facts
        facts={[
          [t('invited'), invitedAt && formatInstant(invitedAt)],
          [t('reminded'), remindedAt && formatInstant(remindedAt)],
          [t('letterReturned'), letterReturnedAt && formatInstant(letterReturnedAt)],
          [t('furtherLinks'), link?.hasFurtherLinks ? t('furtherLinksGood') : undefined],
        ]}
      />
      {letterReturnedAt && (
        <Mend label={t('addressIsRight')} work={async () => letterNotReturned(tenant, account)} onDone={onChanged} />
      )}
      {letters.length > 0 && (
        <ul className="plain">
          {letters.map(({ kind, by, at }) => (
            <li key={at}>
              {formatInstant(at)} · {t(`letter.${kind}`)} · {nameOf(by)}
            </li>
          ))}
        </ul>
      )}
      <p className="soft">{t(letters.length > 0 ? 'lettersOfRuns' : 'noLetters')}</p>
      {mails.length === 0 && <p className="soft">{t('noMails')}</p>}
      <ul className="plain">
        {mails.map(({ kind, state, at }) => (
          <li key={`${kind} ${at}`}>
            {formatInstant(at)} · {isMailKind(kind) ? t(`mail.${kind}`) : kind} · {parts(`mailState.${state}`)}
          </li>
        ))}
      </ul>
    </section>
  )
}
