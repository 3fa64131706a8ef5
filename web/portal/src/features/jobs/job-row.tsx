import { memo } from 'react'
import { Link } from 'wouter'
import type { Job } from '@shared/contract/types.ts'
import { longAddressLine } from '@shared/i18n/address.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { MeterIcon } from '@shared/ui/meter-icon.tsx'
import { PeriodTag } from './period-tag.tsx'

interface Props {
  job: Job
  /** Absent when there is nothing to open. */
  href: string | undefined
  isCurrent: boolean
  isFaded: boolean
}

/** One meter of the list. */
export const JobRow = memo(function JobRow({ job, href, isCurrent, isFaded }: Props) {
  const { t } = useTranslation()
  const { meterType, customMeterType, meterNumber } = job.meter
  const type = meterType ?? 'GENERIC_METER'
  const meter = (
    <>
      <MeterIcon type={type} />
      <span className="job-row__text">
        <span className="job-row__meter">
          <strong className="job-row__number identifier">{meterNumber}</strong>{' '}
          <span className="job-row__type">{customMeterType ?? t(`meterType.${type}`)}</span>
        </span>
        <span className="job-row__address">{longAddressLine(job)}</span>
        <PeriodTag job={job} />
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
    <Link href={href} className={look} aria-current={isCurrent ? 'page' : undefined}>
      {meter}
      <Icon name="forward" size={1.25} className="job-row__forward" />
    </Link>
  )
})
