import { useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { currentDraft } from '@/device/drafts.ts'
import { stateOf } from '@/forms/draft.ts'
import { useEntry } from '@/forms/use-entry.ts'
import { type Draft, READING, type ReadingEntry, typedOn } from './draft.ts'

/** The readings of a job that are being entered, and of which meter they are: an import may give the job another one meanwhile (D-OUTBOX-13). */
export interface Reading {
  readonly entry: ReadingEntry
  /** The number that the job's meter had when a value was typed last. */
  readonly meterNumber: string
  /** The reader is told to look at the meter, and sends what is shown then, as of the day of that look. */
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
  /** A draft that was refused, and what it is after another look at the meter: of the meter that is shown, and of that day. */
  const [told, setTold] = useState<{ refused: Draft; anew: Draft }>()
  const asSeen = (draft: Draft) => (draft === told?.refused ? told.anew : draft)
  const draft = asSeen(kept.draft)
  const entry: ReadingEntry = {
    ...kept,
    draft,
    setDraft: (change) =>
      kept.setDraft((draft) => {
        const before = asSeen(draft)
        const after = change(before)
        return after === before ? draft : typedOn(today, shown, before, after)
      }),
  }
  const lookAgain = () => {
    const { rates, comment } = kept.draft
    setTold({ refused: kept.draft, anew: { rates, comment } })
  }
  return { entry, meterNumber: draft.meterNumber ?? shown, lookAgain }
}
