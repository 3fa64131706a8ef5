import { useEffect, useRef, useState } from 'react'
import { currentSessions } from '@/auth/sessions.ts'
import type { FormState } from '@/forms/draft.ts'
import { useWaitingOwnReadings } from '@/offline/replay.ts'
import { useIsInForm } from '@/sw/unsent.ts'
import { type Draft, OWN_READING, readState } from './draft.ts'
import { OwnReadingForm } from './own-reading-form.tsx'
import { QueuedOwnReading } from './queued-own-reading.tsx'

interface Props {
  /** Whether another one may be entered; what waits can be seen all the same. */
  readonly isAllowed: boolean
  readonly onSent: () => void
  readonly onCancel: () => void
}

/** The readings of meters without a job: those that wait, and the entry of another one. */
export function OwnReadings({ isAllowed, onSent, onCancel }: Props) {
  const waiting = useWaitingOwnReadings()
  const isInForm = useIsInForm()
  const [initial, setInitial] = useKeptState()
  // Each reading has a form of its own, which knows nothing of what was wrong with the last one.
  const [round, setRound] = useState(0)
  const queue = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (round > 0) queue.current?.querySelector('h2')?.focus()
  }, [round])

  function begin(next: FormState<Draft>) {
    setInitial(next)
    setRound((round) => round + 1)
  }

  return (
    <>
      {waiting.length > 0 && (
        <div ref={queue} className="unknown-queue">
          {waiting.map((entry) => (
            <QueuedOwnReading
              key={entry.key}
              entry={entry}
              isInForm={isInForm}
              onEdit={isAllowed ? begin : undefined}
            />
          ))}
        </div>
      )}
      {isAllowed && initial && (
        <OwnReadingForm
          key={round}
          initial={initial}
          onSent={onSent}
          onQueued={() => begin({ draft: OWN_READING.empty })}
          onCancel={onCancel}
        />
      )}
    </>
  )
}

/** What the form begins with; undefined while it is read from the device. */
function useKeptState() {
  const [state, setState] = useState<FormState<Draft>>()
  useEffect(() => {
    let hasLeft = false
    const read = async () => {
      const kept = await readState(currentSessions().map(({ accountId }) => accountId))
      if (!hasLeft) setState(kept)
    }
    void read()
    return () => {
      hasLeft = true
    }
  }, [])
  return [state, setState] as const
}
