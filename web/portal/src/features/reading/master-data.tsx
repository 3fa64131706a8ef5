import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '@shared/contract/types.ts'
import { joined } from '@shared/i18n/address.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { MeterIcon } from '@shared/ui/meter-icon.tsx'

/** Which meter it is, where it hangs, whose it is, and when it is to be read (L2). */
export function MasterData({ job }: { job: Job }) {
  const { t } = useTranslation('reading')
  const { meter, customer, partner } = job
  const { street, houseNumber, zip, city, cityDistrict, locationDescription, hint } = meter.meterAddress
  const address = [joined(' ', street, houseNumber), joined(' ', zip, city, cityDistrict && `(${cityDistrict})`)]
  const targets = [...new Set(meter.meterRateTasks.flatMap((task) => task.targetReadingDate ?? []))]
  const period = periodOf(job)

  const resident = personOf(meter.meterAddress)
  const owner = (customer && personOf(customer)) ?? (partner && personOf(partner))
  return (
    <div className="meter-data panel">
      <div className="meter-data__head">
        <MeterIcon type={meter.meterType} size="large" />
        <p className="meter-data__type">{meter.customMeterType ?? t(`meterType.${meter.meterType}`)}</p>
        <h1 className="meter-data__number figures" id="meter-number">
          <span className="visually-hidden">{t('meter.number')} </span>
          {meter.meterNumber}
        </h1>
      </div>
      <dl className="meter-data__facts">
        <Fact name={t('meter.address')}>{joined(', ', ...address)}</Fact>
        <Fact name={t('meter.location')}>{locationDescription}</Fact>
        <Fact name={t('meter.hint')}>{hint}</Fact>
        <Fact name={t('meter.resident')}>{resident === owner ? undefined : resident}</Fact>
        <Fact name={t('meter.customer')}>{joined(' · ', owner, customer?.customerNumber)}</Fact>
        <Fact name={t('meter.object')}>{job.objectKey ?? meter.meterAddress.objectKey}</Fact>
        <Fact name={t('meter.period')}>{period && t(`meter.${period.key}`, period.days)}</Fact>
        <Fact name={t('meter.target')}>{joined(', ', ...targets.map(formatDate))}</Fact>
        <Fact name={t('meter.maLo')}>{job.maLoId ?? meter.maLoId}</Fact>
        <Fact name={t('meter.meLo')}>{job.meLoId}</Fact>
      </dl>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figures">{children}</dd>
    </div>
  )
}

interface Named {
  company?: string | null
  firstname?: string | null
  lastname?: string | null
}

function personOf({ company, firstname, lastname }: Named): string | undefined {
  return joined(', ', company, joined(' ', firstname, lastname)) || undefined
}

function periodOf({ jobConstraints: { earliestExecution, latestExecution } }: Job) {
  const days = {
    first: earliestExecution ? formatDate(earliestExecution) : '',
    last: latestExecution ? formatDate(latestExecution) : '',
  }
  if (earliestExecution && latestExecution) return { key: 'periodRange', days } as const
  if (earliestExecution) return { key: 'periodFrom', days } as const
  return latestExecution ? ({ key: 'periodUntil', days } as const) : undefined
}
