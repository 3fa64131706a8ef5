import { currentLanguage, locale } from './i18n.ts'

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Made once for a language and what is asked of it: making one takes a cheap phone as long as drawing ten rows of a list. */
function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const language = locale(currentLanguage())
  const name = JSON.stringify([language, options])
  const format = numberFormats.get(name) ?? new Intl.NumberFormat(language, options)
  numberFormats.set(name, format)
  return format
}

/** A day as people here write it: `2026-03-09` becomes `09.03.2026` (L9). */
export function formatDate(day: string): string {
  const [year, month, date] = day.split('-')
  return `${date}.${month}.${year}`
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** The day of a moment where the reader is: `22.11.2026`. */
export function formatDayOf(instant: string): string {
  const time = new Date(instant)
  return `${twoDigits(time.getDate())}.${twoDigits(time.getMonth() + 1)}.${time.getFullYear()}`
}

const timeOf = (time: Date) => `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`

/** A moment, to the minute, where the reader is: `22.11.2026, 14:05`. */
export function formatInstant(instant: string): string {
  return `${formatDayOf(instant)}, ${timeOf(new Date(instant))}`
}

/** A moment, to the second, where the reader is: `22.11.2026, 14:05:09`. */
export function formatSecond(instant: string): string {
  return `${formatInstant(instant)}:${twoDigits(new Date(instant).getSeconds())}`
}

/** A day within its year: `2026-03-09` becomes `09.03.`. */
export function formatDayAndMonth(day: string): string {
  return formatDate(day).slice(0, 6)
}

/** A moment on this device's clock: the time alone if it is today. */
export function formatMoment(milliseconds: number): string {
  const moment = new Date(milliseconds)
  const isToday = moment.toDateString() === new Date().toDateString()
  return isToday ? timeOf(moment) : formatInstant(moment.toISOString())
}

/** A reading with the decimal sign of the language; its digits stay as they are. */
export function formatValue(value: string): string {
  return locale(currentLanguage()) === 'en' ? value : value.replace('.', ',')
}

/**
 * An amount, exactly, as figures are read: thousands separated, no zeros in front, at least so many decimals: `012345.6` becomes
 * `12.345,60`. Not for what is typed or stands on a counter: those are digits.
 */
export function formatAmount(value: string, decimals = 0): string {
  const [pre = '', post = ''] = value.replace('-', '').split('.')
  const language = locale(currentLanguage())
  const whole = numberFormat().format(BigInt(pre))
  const rest = post.padEnd(decimals, '0')
  return `${value.startsWith('-') ? '\u2212' : ''}${whole}${rest && (language === 'en' ? '.' : ',')}${rest}`
}

/** A number as people say it of something that they do not know exactly: `3104.9` becomes `3.100`. */
export function formatAbout(number: number): string {
  return numberFormat({ maximumSignificantDigits: 2 }).format(number)
}

/** A text with its unit; the blank between them does not break. */
export const withUnit = (text: string, unit: string | undefined): string => (unit ? `${text}\u00A0${unit}` : text)

/** A whole number with thousands separated. */
export function formatCount(count: number): string {
  return numberFormat().format(count)
}

/** A percentage with at most one decimal. */
export function formatPercent(percent: number): string {
  return numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(percent / 100)
}

/** A difference as an amount, with its sign; none has no sign. */
export function formatDifference(value: string, decimals: number): string {
  const text = formatAmount(value, decimals)
  return /[1-9]/.test(text) && !text.startsWith('\u2212') ? `+${text}` : text
}

/** An average with its sign; zero has none. */
export function formatSignedNumber(value: number, precision: Intl.NumberFormatOptions): string {
  return numberFormat({ signDisplay: 'exceptZero', ...precision })
    .format(value)
    .replace('-', '\u2212')
}
