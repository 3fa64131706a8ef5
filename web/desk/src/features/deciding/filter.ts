import type { WaitingFilter } from '@/data/deciding.ts'
import { DOUBTS, METER_TYPES } from '@/data/types.ts'

/** What the address of this area may say. */
export const FILTERS = { reason: DOUBTS, meterType: METER_TYPES, season: undefined } as const

/** Whether it leaves anything out. */
export const isNarrowed = (filter: WaitingFilter): boolean => Object.keys(filter).length > 0

/** The filter as the API takes it. */
export function waitingFilter(values: { reason?: string; meterType?: string; season?: string }): WaitingFilter {
  const reason = DOUBTS.find((doubt) => doubt === values.reason)
  const meterType = METER_TYPES.find((type) => type === values.meterType)
  return {
    ...(reason && { reason }),
    ...(meterType && { meterType }),
    ...(values.season && { season: values.season }),
  }
}
