import type { Job, MeterRateTask } from '@shared/contract/types.ts'
import type { Translate } from '@shared/i18n/i18n.ts'
import { lastEvent } from '@shared/rules/reading.ts'
import type { Column, ColumnKind, Row } from './xlsx.ts'

type Texts = Translate<'export'>

interface Source {
  job: Job
  task: MeterRateTask
  t: Texts
}

type Value = (source: Source) => string | null | undefined

const column = <Key extends string>(key: Key, width: number, value: Value, kind: ColumnKind = 'text') =>
  ({ key, width, value, kind }) as const

/**
 * The 26 columns (L9). The specification counts them, and names all but the parts of the meter's address: those are the six that
 * lead a person to the meter.
 */
const COLUMNS = [
  column('partnerIdentifier', 16, ({ job }) => job.partner?.identifier),
  column('partnerCompany', 28, ({ job }) => job.partner?.company),
  column('customerNumber', 16, ({ job }) => job.customer?.customerNumber),
  column('customerCompany', 28, ({ job }) => job.customer?.company),
  column('mailingStreet', 24, ({ job }) => job.customer?.mailingAddress?.street),
  column('mailingHouseNumber', 12, ({ job }) => job.customer?.mailingAddress?.houseNumber),
  column('mailingZip', 10, ({ job }) => job.customer?.mailingAddress?.zip),
  column('mailingCity', 20, ({ job }) => job.customer?.mailingAddress?.city),
  column('maLoId', 16, ({ job }) => job.maLoId ?? job.meter.maLoId),
  column('meterStreet', 24, ({ job }) => job.meter.meterAddress.street),
  column('meterHouseNumber', 12, ({ job }) => job.meter.meterAddress.houseNumber),
  column('meterZip', 10, ({ job }) => job.meter.meterAddress.zip),
  column('meterCity', 20, ({ job }) => job.meter.meterAddress.city),
  column('meterCityDistrict', 18, ({ job }) => job.meter.meterAddress.cityDistrict),
  column('meterLocation', 24, ({ job }) => job.meter.meterAddress.locationDescription),
  column('meterNumber', 20, ({ job }) => job.meter.meterNumber),
  column(
    'meterType',
    14,
    ({ job: { meter }, t }) => meter.customMeterType ?? t(`meterType.${meter.meterType}`, { area: 'common' }),
  ),
  column('rateName', 16, ({ task }) => task.rateName),
  column('obis', 14, ({ task }) => task.obis),
  column('targetReadingDate', 14, ({ task }) => task.targetReadingDate, 'date'),
  column('latestExecution', 14, ({ job }) => job.jobConstraints.latestExecution, 'date'),
  column('addressHint', 28, ({ job }) => job.meter.meterAddress.hint),
  column('earlierDate', 14, ({ task }) => lastEvent(task)?.readingDate, 'date'),
  column('earlierValue', 16, ({ task }) => lastEvent(task)?.readingValue, 'number'),
  column('resultDate', 14, ({ task }) => task.readingResults.at(-1)?.readingDate, 'date'),
  column('resultValue', 16, ({ task }) => task.readingResults.at(-1)?.readingValue, 'number'),
] as const

/** The columns with their titles in the reader's language; that of the rates' names is as wide as the names need. */
export const columns = (t: Texts, jobs: readonly Job[]): Column[] =>
  COLUMNS.map(({ key, width, kind }) => ({
    title: t(`column.${key}`),
    width: key === 'rateName' ? charactersIn(rateNameWidth(jobs)) : width,
    kind,
  }))

/** In pixels: 13 for each character of the longest name and 40 more, 280 at most (L9). */
export function rateNameWidth(jobs: readonly Job[]): number {
  let longest = 0
  for (const { meter } of jobs)
    for (const { rateName } of meter.meterRateTasks) longest = Math.max(longest, rateName?.length ?? 0)
  return Math.min(280, 13 * longest + 40)
}

/** Excel counts a column's width in digits of its standard font, which are 7 pixels wide, and pads it with 5. */
const charactersIn = (pixels: number): number => (pixels - 5) / 7

/** A job's rows: one for each rate of its meter. */
export const rowsOf = (job: Job, t: Texts): Row[] =>
  job.meter.meterRateTasks.map((task) => COLUMNS.map(({ value }) => value({ job, task, t })))
