import { useState } from 'react'
import type { DeskJob, Reading } from '@/data/types.ts'
import { taskOf } from './rate-name.ts'

interface Read {
  readonly channel: Reading['channel']
  readonly readingDate: string
  readonly readingValue: string
}

type Value = Pick<Read, 'readingDate' | 'readingValue'>

const isSame = (one: Value, other: Value) =>
  one.readingDate === other.readingDate && one.readingValue === other.readingValue

/** A clerk had put it there and took that back: unlike a rejection that has no reason. */
const isWithdrawn = ({ state, decision }: Reading) =>
  state === 'rejected' && (decision?.reason ?? undefined) === undefined

/** It counts, or waits for that. */
export const stands = ({ state }: Reading): boolean => state === 'counts' || state === 'waits'

/** The readings of a register in whose place another one would come: what it shows, or, where it is open, the same one that was rejected (D-READING-22). */
export function replacedBy({ file }: DeskJob, taskId: string, read: Read): readonly Reading[] {
  const last = taskOf(file.job, taskId)?.readingResults.at(-1)
  if (last && isSame(last, read)) return []
  const isReplaced = (reading: Reading) =>
    last
      ? reading.created === last.created
      : reading.channel === read.channel && isSame(reading, read) && !isWithdrawn(reading)
  return file.readings.filter((reading) => reading.taskId === taskId && isReplaced(reading))
}

/** What the member says of just what they are asked about: of something else they have said nothing yet. */
export function useWordsAbout(about: string): [string, (text: string) => void] {
  const [said, setSaid] = useState({ about, text: '' })
  return [said.about === about ? said.text : '', (text) => setSaid({ about, text })]
}
