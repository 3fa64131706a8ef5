import { currentLanguage, locale } from './i18n.ts'

/** A day as people here write it: `2026-03-09` becomes `09.03.2026` (L9). */
export function formatDate(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-')
  return `${date}.${month}.${year}`
}

/** A day within its year: `2026-03-09` becomes `09.03.`. */
export function formatDayAndMonth(day: string): string {
  return formatDate(day).slice(0, 6)
}

/** A reading with the decimal sign of the language; its digits stay as they are. */
export function formatValue(value: string): string {
  return locale(currentLanguage()) === 'en' ? value : value.replace('.', ',')
}

/** A whole number with thousands separated. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(locale(currentLanguage())).format(count)
}

/** A percentage with at most one decimal. */
export function formatPercent(percent: number): string {
  return new Intl.NumberFormat(locale(currentLanguage()), { style: 'percent', maximumFractionDigits: 1 }).format(
    percent / 100,
  )
}

/** A difference, exactly, with its sign. */
export function formatSigned(value: string): string {
  const text = formatValue(value).replace('-', '\u2212')
  return /[1-9]/.test(text) && !text.startsWith('\u2212') ? `+${text}` : text
}

/** An average with its sign; zero has none. */
export function formatSignedNumber(value: number, precision: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale(currentLanguage()), { signDisplay: 'exceptZero', ...precision })
    .format(value)
    .replace('-', '\u2212')
}
