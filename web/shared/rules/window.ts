/** Days, and when a job may be read and sent. The twin of `functions/domain/src/window.rs`. */

/** A day of the calendar, `YYYY-MM-DD`; such texts sort like the days they name. */
export type IsoDate = string

/** The day that lies so many days after (or, negative, before) another. */
export function addDays(day: IsoDate, days: number): IsoDate {
  const time = new Date(`${day}T00:00:00Z`)
  time.setUTCDate(time.getUTCDate() + days)
  return time.toISOString().slice(0, 10)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** To make a format takes a hundred times as long as to use it, and every row of a list asks for the day. */
function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(timeZone, made)
  return made
}

/** The calendar day of an instant in a time zone (an IANA name). */
export function dayIn(timeZone: string, instant: Date): IsoDate {
  const parts = dayFormat(timeZone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((p) => p.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** First and last day of a job, both inclusive (`JobConstraints`); either may be open. */
export interface Constraints {
  readonly earliestExecution?: IsoDate | null | undefined
  readonly latestExecution?: IsoDate | null | undefined
}

/** Days around a job's window on which sending is still allowed (L9). */
export interface SendingFeatures {
  readonly durationSendingReadingValuesBasedOnEarliestExecutionIsAllowed: number
  readonly durationSendingReadingValuesBasedOnLatestExecutionIsAllowed: number
}

/** The days on which sending is possible (L5), both inclusive; an absent bound is open. */
export function sendingWindow(
  constraints: Constraints,
  features: SendingFeatures,
): { first?: IsoDate; last?: IsoDate } {
  const { earliestExecution: earliest, latestExecution: latest } = constraints
  return {
    ...(earliest && {
      first: addDays(earliest, -features.durationSendingReadingValuesBasedOnEarliestExecutionIsAllowed),
    }),
    ...(latest && { last: addDays(latest, features.durationSendingReadingValuesBasedOnLatestExecutionIsAllowed) }),
  }
}

/** Whether readings are taken today; the limit is the first day before which, or the last after which they are not. */
export type Sending = { state: 'open' } | { state: 'notOpen' | 'expired'; limit: IsoDate }

/** Whether readings are taken today (L5). */
export function sending(constraints: Constraints, features: SendingFeatures, today: IsoDate): Sending {
  const { first, last } = sendingWindow(constraints, features)
  if (first && today < first) return { state: 'notOpen', limit: first }
  if (last && today > last) return { state: 'expired', limit: last }
  return { state: 'open' }
}

/**
 * The days that a reading may name (L5), both inclusive. `hideReadingDateInput` changes nothing here (D-READING-8): such a reading is dated to the
 * day on which it was typed, which may be days before it could be sent.
 */
export function readingDates(
  constraints: Constraints,
  features: SendingFeatures,
  entry: { readonly readingDateMaxDaysInPast: number; readonly readingDateMaxDaysInFuture: number },
  today: IsoDate,
): { first: IsoDate; last: IsoDate } {
  const back = addDays(today, -entry.readingDateMaxDaysInPast)
  const opens = sendingWindow(constraints, features).first
  return {
    first: opens && opens > back ? opens : back,
    last: addDays(today, entry.readingDateMaxDaysInFuture),
  }
}

/** Days before a deadline on which an unread job is warned about (L9). */
export const EXPIRY_WARNING_DAYS = 5

/**
 * Whether the deadline is over and readings are still taken, in the days that the tenant allows after it (L5): the most urgent jobs, whose
 * readings may not count for the bill.
 */
export function isOverdue(constraints: Constraints, features: SendingFeatures, today: IsoDate): boolean {
  const deadline = constraints.latestExecution
  return Boolean(deadline && deadline < today) && sending(constraints, features, today).state === 'open'
}

/** Whether the deadline is so near, and not over, that the reader must be warned (L2). */
export function expiresSoon(constraints: Constraints, today: IsoDate): boolean {
  const deadline = constraints.latestExecution
  return Boolean(deadline && deadline >= today && deadline <= addDays(today, EXPIRY_WARNING_DAYS))
}
