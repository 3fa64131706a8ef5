import type { ReactNode } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { joined } from '@shared/i18n/address.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { MeterIcon } from '@shared/ui/meter-icon.tsx'
import { useToday } from '@/data/today.ts'

/** Which meter it is, where it hangs, whose it is, and when it is to be read (L2). What one does without while reading is folded (D-PORTAL-11). */
export function MasterData({ job }: { job: Job }) {
  const { t } = useTranslation('reading')
  const { meter, customer, partner } = job
  const { street, houseNumber, zip, city, cityDistrict, locationDescription, hint } = meter.meterAddress
  const address = [joined(' ', street, houseNumber), joined(' ', zip, city, cityDistrict && `(${cityDistrict})`)]
  const today = useToday()
  const targets = [...new Set(meter.meterRateTasks.flatMap((task) => task.targetReadingDate ?? []))]
  const target = <Fact name={t('meter.target')}>{joined(', ', ...targets.map(formatDate))}</Fact>
  // A reader at the meter on the day that is wished for, or later, need not know it.
  const isTargetAhead = targets.some((day) => day > today)
  const period = periodOf(job)

  const resident = personOf(meter.meterAddress)
  const owner = (customer && personOf(customer)) ?? (partner && personOf(partner))
  return (
    <div className="meter-data panel">
      <div className="meter-data__head">
        <MeterIcon type={meter.meterType} size="large" />
        <p className="meter-data__type">{meter.customMeterType ?? t(`meterType.${meter.meterType}`)}</p>
        <h1 className="meter-data__number identifier" id="meter-number">
          <span className="visually-hidden">{t('meter.number')} </span>
          {meter.meterNumber}
        </h1>
      </div>
      <dl className="meter-data__facts">
        <Fact name={t('meter.address')} isPlain>
          {joined(', ', ...address)}
        </Fact>
        <Fact name={t('meter.location')} isPlain>
          {locationDescription}
        </Fact>
        <Fact name={t('meter.hint')}>{hint}</Fact>
        <Fact name={t('meter.resident')}>{resident === owner ? undefined : resident}</Fact>
        <Fact name={t('meter.period')}>{period && t(`meter.day.${period.key}`, period.days)}</Fact>
        {isTargetAhead && target}
      </dl>
      <Folded title={t('meter.more')}>
        <Fact name={t('meter.customer')} isIdentifier>
          {joined(' · ', owner, customer?.customerNumber)}
        </Fact>
        <Fact name={t('meter.object')} isIdentifier>
          {job.objectKey ?? meter.meterAddress.objectKey}
        </Fact>
        {!isTargetAhead && target}
        <Fact name={t('meter.maLo')} isIdentifier>
          {job.maLoId ?? meter.maLoId}
        </Fact>
        <Fact name={t('meter.meLo')} isIdentifier>
          {job.meLoId}
        </Fact>
      </Folded>
    </div>
  )
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="meter-data__more">
      <summary>
        <Icon name="forward" size={1} />
        {title}
      </summary>
      <dl className="meter-data__facts">{children}</dl>
    </details>
  )
}

interface FactProps {
  name: string
  /** Says itself what it is, so that its name is only heard. */
  isPlain?: boolean
  isIdentifier?: boolean
  children: ReactNode
}

function Fact({ name, isPlain = false, isIdentifier = false, children }: FactProps) {
  if (!children) return null
  return (
    <div className={isPlain ? 'meter-data__plain' : undefined}>
      <dt className={isPlain ? 'visually-hidden' : undefined}>{name}</dt>
      <dd className={isIdentifier ? 'identifier' : 'figures'}>{children}</dd>
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
  if (earliestExecution && latestExecution) return { key: 'both', days } as const
  if (earliestExecution) return { key: 'from', days } as const
  return latestExecution ? ({ key: 'until', days } as const) : undefined
}
