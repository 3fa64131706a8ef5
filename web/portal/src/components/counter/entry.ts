/**
 * The keys of the entry field (L5): digits only, comma or point ends the integer part, so that `1,5` is never 15.
 * Pure, so that every way a text can come in (key, phone keyboard, paste, dictation, autofill) ends in the same place.
 */
import type { MeterValue } from '@shared/rules/value.ts'

/** The two parts of the field. */
export type Part = 'pre' | 'post'

/** What stands in the field and where the next key goes. */
export interface Entry {
  /** Digits before the point, as typed. */
  readonly pre: string
  /** Digits after the point, as typed. */
  readonly post: string
  /** Where the next digit goes; `post` also when there is no fraction and a separator has ended the integer part. */
  readonly part: Part
}

/** How many digits each part takes; `post` is 0 when decimals are masked or not queried. */
export interface Digits {
  readonly pre: number
  readonly post: number
}

/** Why a key or a text was not taken. */
export type Refusal = 'full' | 'noFraction' | 'notDigits' | 'ambiguous'

/** The field afterwards, and why something was left out. */
export interface Step {
  readonly entry: Entry
  readonly refusal?: Refusal
}

/** The field before anything is typed. */
export const EMPTY: Entry = { pre: '', post: '', part: 'pre' }

/** Whether the character ends the integer part. */
export const isSeparator = (text: string): boolean => text === ',' || text === '.' || text === '٫'

const withoutSeparators = (text: string) => text.replace(/[.,٫]/g, '')

/** The value to check and send, digit for digit; undefined while the field is empty. */
export function valueOf({ pre, post }: Entry): MeterValue | undefined {
  if (pre === '' && post === '') return undefined
  return (pre || '0') + (post && `.${post}`)
}

/** The field that holds such a value. */
export function entryOf(value: MeterValue): Entry {
  const [pre = '', post = ''] = value.split('.')
  return { pre, post, part: post ? 'post' : 'pre' }
}

/** A comma or point: the next digit belongs to the fraction. */
export function separate(entry: Entry): Entry {
  return { ...entry, pre: entry.pre || '0', part: 'post' }
}

/** Backspace while the fraction is empty: back to the integer part, which stays as it is. */
export function back(entry: Entry): Entry {
  return { ...entry, part: 'pre' }
}

/** The text of one part after an input event. */
export function change(entry: Entry, part: Part, text: string, digits: Digits): Step {
  const before = entry[part]
  if (/[.,٫]/.test(text)) {
    const separatorOnly = withoutSeparators(text) === before
    if (separatorOnly) return { entry: part === 'pre' ? separate(entry) : entry }
    return replace(entry, text, digits)
  }
  if (/\D/.test(text)) {
    const kept = text.replace(/\D/g, '')
    return kept === before ? { entry, refusal: 'notDigits' } : replace(entry, text, digits)
  }
  const ended = part === 'pre' && entry.part === 'post' && digits.post === 0
  if (ended && text.length > before.length) return { entry, refusal: 'noFraction' }
  if (text.length > digits[part]) return { entry, refusal: 'full' }
  return { entry: { ...entry, [part]: text, part } }
}

/** A whole value from elsewhere, such as `1.234,5 kWh`, in place of what stands in the field; refused if it can be read in two ways. */
export function replace(entry: Entry, text: string, digits: Digits): Step {
  const number = /^[^\d.,٫+-]*([\d.,٫'’\s]*\d)(?:\s*\D*|\s+\D+\d?)$/u.exec(text)?.[1]?.replace(/['’\s]/g, '')
  if (number === undefined) return { entry, refusal: 'notDigits' }
  const marks = number.match(/[.,٫]/g) ?? []
  const kinds = new Set(marks)
  const last = Math.max(...Array.from(kinds, (mark) => number.lastIndexOf(mark)))

  let pre = number
  let post = ''
  if (kinds.size > 2 || (kinds.size === 2 && marks.at(-1) === marks.at(-2))) return { entry, refusal: 'ambiguous' }
  if (kinds.size === 2 || marks.length === 1) {
    pre = number.slice(0, last)
    post = number.slice(last + 1)
  }
  const grouped = /^\d{1,3}([.,٫]\d{3})+$/
  if (withoutSeparators(pre) !== pre && !grouped.test(pre)) return { entry, refusal: 'ambiguous' }
  if (marks.length === 1 && /^[1-9]\d{0,2}[.,٫]\d{3}$/.test(number) && digits.post !== 3)
    return { entry, refusal: 'ambiguous' }

  pre = withoutSeparators(pre) || '0'
  if (pre.length > digits.pre) pre = pre.replace(/^0+(?=\d)/, '')
  if (pre.length > digits.pre || (digits.post > 0 && post.length > digits.post)) return { entry, refusal: 'full' }
  const taken: Entry = { pre, post: digits.post > 0 ? post : '', part: post && digits.post > 0 ? 'post' : 'pre' }
  return post && digits.post === 0 ? { entry: taken, refusal: 'noFraction' } : { entry: taken }
}
