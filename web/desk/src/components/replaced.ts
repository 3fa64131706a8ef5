import { useState } from 'react'
import type { DeskJob, Reading } from '@/data/types.ts'
import { taskOf } from './rate-name.ts'

interface Read {
  readonly readingDate: string
  readonly readingValue: string
}

/** The reading of a register in whose place another one would come; none: it has none, or is the same one. */
export function replacedBy({ file }: DeskJob, taskId: string, read: Read): Reading | undefined {
  const last = taskOf(file.job, taskId)?.readingResults.at(-1)
  if (!last || (last.readingDate === read.readingDate && last.readingValue === read.readingValue)) return undefined
  return file.readings.find((reading) => reading.taskId === taskId && reading.created === last.created)
}

/** What the member says of just what they are asked about: of something else they have said nothing yet. */
export function useWordsAbout(about: string): [string, (text: string) => void] {
  const [said, setSaid] = useState({ about, text: '' })
  return [said.about === about ? said.text : '', (text) => setSaid({ about, text })]
}
