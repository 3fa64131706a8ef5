import { useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { currentDraft } from '@/device/drafts.ts'
import { stateOf } from '@/forms/draft.ts'
import { useEntry } from '@/forms/use-entry.ts'
import { READING, type ReadingEntry, typedOn } from './draft.ts'

/** The readings of a job that are being entered, and of which meter they are: an import may give the job another one meanwhile (D-OUTBOX-13). */
export interface Reading {
  readonly entry: ReadingEntry
  /** The number that the job's meter had when a value was typed last. */
  readonly meterNumber: string
  /** The reader is told to look at the meter, and sends what is shown then. */
  readonly lookAgain: () => void
}

/** The readings of this job. */
export function useReading(job: Job, today: IsoDate): Reading {
  const place = [job.login, job.id] as const
  const kept = useEntry(
    READING,
    () => stateOf(READING, currentDraft(...place)),
    () => place,
  )
  const { meterNumber: shown } = job.meter
  const { meterNumber = shown } = kept.draft
  /** The number under which nothing was taken. */
  const [exchanged, setExchanged] = useState<string>()
  const entry: ReadingEntry = {
    ...kept,
    setDraft: (change) => kept.setDraft((draft) => typedOn(today, shown, draft, change(draft))),
  }
  return {
    entry,
    meterNumber: meterNumber === exchanged ? shown : meterNumber,
    lookAgain: () => setExchanged(meterNumber),
  }
}
