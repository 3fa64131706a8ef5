import { useState } from 'react'
import { formatDate, formatValue, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { billionths } from '@shared/rules/value.ts'
import type { DeskJob, Reading } from '@/data/types.ts'
import { taskOf, unitOf } from './rate-name.ts'

interface Read {
  readonly channel: Reading['channel']
  readonly readingDate: string
  readonly readingValue: string
}

type Value = Pick<Read, 'readingDate' | 'readingValue'>

const isSame = (one: Value, other: Value) =>
  one.readingDate === other.readingDate && billionths(one.readingValue) === billionths(other.readingValue)

/** A clerk had put it there and took that back: unlike a rejection that has no reason. */
const isWithdrawn = ({ state, decision }: Reading) =>
  state === 'rejected' && (decision?.reason ?? undefined) === undefined

/** It counts, or waits for that. */
export const stands = ({ state }: Reading): boolean => state === 'counts' || state === 'waits'

/** The readings of a register in whose place another one would come: what it shows, and the same one where it was rejected (D-READING-22). */
export function replacedBy({ file }: DeskJob, taskId: string, read: Read): readonly Reading[] {
  const last = taskOf(file.job, taskId)?.readingResults.at(-1)
  if (last && isSame(last, read)) return []
  const wasEntered = (reading: Reading) =>
    reading.channel === read.channel && isSame(reading, read) && !isWithdrawn(reading)
  const isReplaced = (reading: Reading) =>
    reading.created === last?.created || ((!last || reading.state === 'rejected') && wasEntered(reading))
  return file.readings.filter((reading) => reading.taskId === taskId && isReplaced(reading))
}

/** Says what became of a reading that was entered before and does not hold any more, with a clerk's words. */
export function useBeforeLine() {
  const { t } = useTranslation('parts')
  return (file: DeskJob['file'], { taskId, readingValue, readingDate, state, decision }: Reading): string => {
    const task = taskOf(file.job, taskId)
    const value = withUnit(formatValue(readingValue), task && unitOf(task))
    const about = { value, day: formatDate(readingDate) }
    const reason = state === 'rejected' ? decision?.reason : undefined
    return reason ? t('rejectedBefore', { ...about, reason }) : t('heldBefore', about)
  }
}

/** What the member says of just what they are asked about: of something else they have said nothing yet. */
export function useWordsAbout(about: string): [string, (text: string) => void] {
  const [said, setSaid] = useState({ about, text: '' })
  return [said.about === about ? said.text : '', (text) => setSaid({ about, text })]
}
