import type { MouseEvent } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { longAddressLine } from '@shared/i18n/address.ts'
import type { Translate } from '@shared/i18n/i18n.ts'
import { MeterIcon } from '@shared/ui/meter-icon.tsx'
import { PeriodTag, type PeriodWords } from './period-tag.tsx'

/** What the rows of a list have in common. A row that looked it up for itself took a cheap phone longer than drawing it. */
export interface RowWords extends PeriodWords {
  tCommon: Translate
}

interface Props {
  job: Job
  words: RowWords
  /** Absent when there is nothing to open. */
  href: string | undefined
  isCurrent: boolean
  isFaded: boolean
  onOpen: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** One meter of the list. */
export function JobRow({ job, words, href, isCurrent, isFaded, onOpen }: Props) {
  const { meterType, customMeterType, meterNumber } = job.meter
  const type = meterType ?? 'GENERIC_METER'
  const meter = (
    <>
      <MeterIcon type={type} />
      <span className="job-row__text">
        <span className="job-row__meter">
          <strong className="job-row__number identifier">{meterNumber}</strong>{' '}
          <span className="job-row__type">{customMeterType ?? words.tCommon(`meterType.${type}`)}</span>
        </span>
        <span className="job-row__address">{longAddressLine(job)}</span>
        <PeriodTag job={job} words={words} />
      </span>
    </>
  )
  const look = isFaded ? 'job-row job-row--faded' : 'job-row'
  if (!href) {
    return (
      <div role="link" aria-disabled="true" className={`${look} job-row--inactive`}>
        {meter}
      </div>
    )
  }
  return (
    <a href={href} className={`${look} job-row--open`} aria-current={isCurrent ? 'page' : undefined} onClick={onOpen}>
      {meter}
    </a>
  )
}
