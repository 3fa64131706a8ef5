/** OBIS codes: what a register counts. The twin of `functions/domain/src/obis.rs`. */
import type { MeterType } from '@shared/contract/types.ts'
import { trimmed } from './white-space.ts'

/** `medium-channel:class.type.number` (L3). */
export interface ObisCode {
  readonly medium: number
  readonly channel: number
  readonly class: number
  readonly type: number
  readonly number: number
}

const OBIS = /^(\d+)-(\d+):(\d+)\.(\d+)\.(\d+)(?:\*255)?$/

/** Reads an OBIS code; every group is at most 255, and a trailing `*255` (the running billing period) is read over. */
export function parseObis(text: string): ObisCode | undefined {
  const groups = OBIS.exec(text)?.slice(1).map(Number)
  if (!groups || groups.some((group) => group > 255)) return undefined
  const [medium = 0, channel = 0, klass = 0, type = 0, number = 0] = groups
  return { medium, channel, class: klass, type, number }
}

/** The code as it is compared, without what is read over: `1-0:1.8.0` of `1-0:1.8.0*255`; a text that is no code stays as it is. */
export function plainObis(text: string): string {
  const code = parseObis(text)
  return code ? `${code.medium}-${code.channel}:${code.class}.${code.type}.${code.number}` : text
}

const TYPE_OF_MEDIUM: Readonly<Record<number, MeterType>> = {
  1: 'ELECTRIC_METER',
  5: 'HEAT_METER',
  6: 'HEAT_METER',
  7: 'GAS_METER',
  8: 'WATER_METER',
  9: 'WATER_WARM_METER',
}

/** The type of meter that a register's medium stands for (L3); 5 is read as heat too, so that the default code comes back. */
export function typeOfObis(obis: string): MeterType {
  return TYPE_OF_MEDIUM[parseObis(obis)?.medium ?? 0] ?? 'GENERIC_METER'
}

const DEFAULT_OBIS: Readonly<Record<MeterType, string>> = {
  ELECTRIC_METER: '1-0:0.0.0',
  GAS_METER: '7-0:0.0.0',
  HEAT_METER: '5-0:0.0.0',
  WATER_METER: '8-0:0.0.0',
  WATER_WARM_METER: '9-0:0.0.0',
  GENERIC_METER: '0-0:0.0.0',
}

/** The code that stands for a type of meter when no register is known (L3). */
export function defaultObis(meterType: MeterType): string {
  return DEFAULT_OBIS[meterType]
}

/** Whether the register counts what is fed into the grid (L3). */
export function isFeedIn(obis: string): boolean {
  return obis.includes(':2.8')
}

/** The rate's name and its code without what stands before the colon: `HT 1.8.1` (L3). */
export function rateDisplayName(rateName: string | null | undefined, obis: string): string {
  const code = obis.slice(obis.indexOf(':') + 1)
  const name = trimmed(rateName ?? '')
  return name ? `${name} ${code}` : code
}

/** The unit to show for a rate: the tenant's own, else the code's, where it has one (L3). */
export function rateUnit(rate: {
  readonly unit?: string | null | undefined
  readonly obis: string
}): string | undefined {
  const code = parseObis(rate.obis)
  return rate.unit ?? (code && unitOf(code))
}

const HEAT_UNITS: Readonly<Record<number, string>> = {
  1: 'kWh',
  2: 'm³',
  3: 'kg',
  4: 'm³',
  5: 'kg',
  6: 'm³',
  7: 'kg',
  8: 'm³/h',
  9: 'kW',
  10: '°C',
  11: '°C',
  12: 'K',
  13: 'bar',
}
const WATER_UNITS: Readonly<Record<number, string>> = { 1: 'm³', 2: 'm³/h', 3: '°C' }
/** The default codes say nothing but the medium, so their unit is what its meters usually count. */
const DEFAULT_UNITS: Readonly<Partial<Record<MeterType, string>>> = {
  ELECTRIC_METER: 'kWh',
  HEAT_METER: 'kWh',
  GAS_METER: 'm³',
  WATER_METER: 'm³',
  WATER_WARM_METER: 'm³',
}

/** The unit of a register, as a person reads it on the meter; undefined where the code does not say. */
export function unitOf(code: ObisCode): string | undefined {
  const meterType = TYPE_OF_MEDIUM[code.medium]
  if (code.class === 0 && code.type === 0 && code.number === 0) return meterType && DEFAULT_UNITS[meterType]
  switch (meterType) {
    case 'ELECTRIC_METER':
      return electricUnit(code)
    case 'HEAT_METER':
      return HEAT_UNITS[code.class]
    case 'GAS_METER':
      return gasUnit(code)
    case 'WATER_METER':
    case 'WATER_WARM_METER':
      return WATER_UNITS[code.class]
    default:
      return undefined
  }
}

function gasUnit(code: ObisCode): string | undefined {
  const digit = code.class % 10
  if (code.class < 30 && digit >= 1 && digit <= 8) return 'm³'
  if (code.class >= 31 && code.class <= 38) return 'kWh'
  return { 41: '°C', 42: 'bar', 43: 'm³/h' }[code.class]
}

/** Values of the third group that are an integral over time: energy rather than power. */
const INTEGRATED: ReadonlySet<number> = new Set([8, 9, 10, 17, 18, 19, 20, 29, 30, 58])

function electricUnit(code: ObisCode): string | undefined {
  // The classes 21 to 80 repeat 1 to 20 for each of the three phases.
  const quantity = code.class >= 21 && code.class <= 80 ? ((code.class - 1) % 20) + 1 : code.class
  const h = INTEGRATED.has(code.type) ? 'h' : ''
  if ([1, 2, 15, 16, 17, 18, 19, 20].includes(quantity)) return `kW${h}`
  if (quantity >= 3 && quantity <= 8) return `kvar${h}`
  if (quantity === 9 || quantity === 10) return `kVA${h}`
  if (quantity === 11 || quantity === 90 || quantity === 91) return `A${h}`
  if (quantity === 12 || quantity === 92) return `V${h}`
  return { 14: 'Hz', 81: '°', 88: 'A²h', 89: 'V²h' }[quantity]
}

const MOMENTARY: ReadonlySet<string> = new Set(['kW', 'kvar', 'kVA', 'A', 'V', 'Hz', '°', 'm³/h', '°C', 'K', 'bar'])

/** Whether two readings in the unit make no consumption: so for a temperature or a power, not for a counter. */
export function isMomentary(unit: string | undefined): boolean {
  return unit !== undefined && MOMENTARY.has(unit)
}
