/**
 * A counter's reading, kept exactly as it was typed: `digits[.digits]`, at most 15 before and 9 after the point.
 * The twin of `functions/domain/src/value.rs`. The text is what travels (`00123.450` stays so); numbers are made for
 * comparisons only, as billionths in a BigInt, so that no value passes through binary floating point.
 */
export type MeterValue = string

/** Most digits that any counter shows before the point. */
export const MAX_PRE_DECIMALS = 15
/** Most digits that any counter shows after the point. */
export const MAX_POST_DECIMALS = 9

const VALUE = /^\d{1,15}(\.\d{1,9})?$/

/** Whether the text is a reading value; a sign, an exponent or a comma is none. */
export function isMeterValue(text: string): text is MeterValue {
  return VALUE.test(text)
}

function split(value: MeterValue): { pre: string; post: string } {
  const [pre = '', post = ''] = value.split('.')
  return { pre, post }
}

/** The value in billionths. */
export function billionths(value: MeterValue): bigint {
  const { pre, post } = split(value)
  return BigInt(pre + post.padEnd(MAX_POST_DECIMALS, '0'))
}

/** The shortest decimal text of a number of billionths; the only place where a minus sign can appear. */
export function decimalText(number: bigint): string {
  const sign = number < 0n ? '-' : ''
  const digits = String(number < 0n ? -number : number).padStart(MAX_POST_DECIMALS + 1, '0')
  const post = digits.slice(-MAX_POST_DECIMALS).replace(/0+$/, '')
  return sign + digits.slice(0, -MAX_POST_DECIMALS) + (post && `.${post}`)
}

/** How many digits stand before the point, leading zeros not counted (0 has one digit). */
export function preDecimals(value: MeterValue): number {
  return Math.max(split(value).pre.replace(/^0+/, '').length, 1)
}

/** How many digits stand after the point. */
export function postDecimals(value: MeterValue): number {
  return split(value).post.length
}

/** The value without the digits behind so many decimals, as the server cuts what a visitor read (`MeterValue::cut`). */
export function cut(value: string, decimals: number): string {
  const [whole = '', post = ''] = value.split('.')
  const kept = post.slice(0, decimals)
  return kept === '' ? whole : `${whole}.${kept}`
}

/** The value in billionths, cut after so many digits behind the point: what a counter that hides the rest shows. */
export function cutAfter(value: MeterValue, decimals: number): bigint {
  const unit = 10n ** BigInt(MAX_POST_DECIMALS - decimals)
  return (billionths(value) / unit) * unit
}

/**
 * What a counter showed before another, in billionths. Where the later one is lower, without the digits that it does not have: they were
 * not asked for (D-READING-5). Elsewhere with them, so that periods add up.
 */
export function asReadBefore(before: MeterValue, after: MeterValue): bigint {
  const whole = billionths(before)
  return whole > billionths(after) ? cutAfter(before, postDecimals(after)) : whole
}
