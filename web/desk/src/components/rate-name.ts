import type { Job, MeterRateTask } from '@shared/contract/types.ts'
import type { Translate } from '@shared/i18n/i18n.ts'
import { translatedRateName } from '@shared/i18n/rate-name.ts'
import { rateUnit } from '@shared/rules/obis.ts'

/** What a register is called. */
export const rateName = (task: MeterRateTask, common: Translate): string =>
  translatedRateName(task.rateName, common) ?? task.obis

/** The register of this id. */
export const taskOf = (job: Job, taskId: string): MeterRateTask | undefined =>
  job.meter.meterRateTasks.find((task) => task.taskId === taskId)

/** The unit in which a register counts. */
export const unitOf = (task: MeterRateTask): string | undefined => rateUnit(task)
