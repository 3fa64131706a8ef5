/** Meters that visitors may read without a job: what the usual one of a medium asks for. */
import type { MeterType } from '@/data/types.ts'
import { at, type Json, type JsonObject } from './documents.ts'

/** Media that are offered without a job. */
export const MEDIA = ['ELECTRIC_METER', 'GAS_METER', 'WATER_METER', 'WATER_WARM_METER', 'HEAT_METER'] as const
export type Medium = (typeof MEDIA)[number] & MeterType

export const pathOf = (medium: Medium): string => `unknownReading.meters.${medium}`
export const SUB_TYPES = 'subTypeMeterConfigs'

/** OBIS code, label and digits before and behind the mark of the usual meter. */
const USUAL: Readonly<Record<Medium, readonly [string, string, number, number]>> = {
  ELECTRIC_METER: ['1-0:1.8.0', '1.8.0', 8, 1],
  GAS_METER: ['7-0:3.0.0', '3.0.0', 6, 3],
  WATER_METER: ['8-0:1.0.0', '1.0.0', 6, 3],
  WATER_WARM_METER: ['9-0:1.0.0', '1.0.0', 6, 3],
  HEAT_METER: ['6-0:1.0.0', '1.0.0', 7, 3],
}

export const itemsOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : []

/** A rate of the medium, called so. */
export function usualRate(medium: Medium, rateName: string): JsonObject {
  const [obis, obisLabel] = USUAL[medium]
  return { obis, obisLabel, rateName }
}

/** What is asked of the usual meter of the medium. */
export function usualMeter(medium: Medium, rateName: string): JsonObject {
  const [, , preDecimals, postDecimals] = USUAL[medium]
  return {
    meterRateConfigs: [usualRate(medium, rateName)],
    defaultMeterReadingConfig: { preDecimals, postDecimals, queryPostDecimals: medium !== 'ELECTRIC_METER' },
  }
}

/** A further sub-type, whose id is none of those that are there. */
export function newSubType(medium: Medium, label: string, rateName: string, there: readonly JsonObject[]): JsonObject {
  const taken = new Set(there.map((sub) => sub['subType']))
  let number = there.length + 1
  while (taken.has(`${medium}_${number}`)) number += 1
  return {
    meterType: medium,
    subType: `${medium}_${number}`,
    subTypeLabel: label,
    meterConfig: usualMeter(medium, rateName),
  }
}

/** What a medium offers; nothing where it is not offered. */
export function meterOf(document: JsonObject | undefined, medium: Medium): JsonObject | undefined {
  const found = at(document, pathOf(medium))
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as JsonObject) : undefined
}
