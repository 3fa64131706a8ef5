import { useEffect, useRef, useState } from 'react'
import { currentSessions } from '@/auth/sessions.ts'
import { useWaitingUnknown } from '@/offline/replay.ts'
import { type Begun, forgetBegun, keepBegun, NOTHING, readBegun } from './draft.ts'
import { UnknownReadingForm } from './own-reading-form.tsx'
import { QueuedUnknown } from './queued-own-reading.tsx'

interface Props {
  /** Whether another one may be entered; what waits can be seen all the same. */
  readonly isAllowed: boolean
  readonly onSent: () => void
  readonly onCancel: () => void
}

/** The readings of meters without a job: those that wait, and the entry of another one. */
export function UnknownReadings({ isAllowed, onSent, onCancel }: Props) {
  const waiting = useWaitingUnknown()
  const { begun, setBegun, drop, isUnkept } = useBegun()
  // Each reading has a form of its own, which knows nothing of what was wrong with the last one.
  const [round, setRound] = useState(0)
  const queue = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (round > 0) queue.current?.querySelector('h2')?.focus()
  }, [round])

  function begin(next: Begun) {
    setBegun(next)
    setRound((round) => round + 1)
  }

  return (
    <>
      {waiting.length > 0 && (
        <div ref={queue} className="unknown-queue">
          {waiting.map((entry) => (
            <QueuedUnknown
              key={entry.key}
              entry={entry}
              isInForm={begun !== undefined && begun.draft !== NOTHING.draft}
              onEdit={isAllowed ? begin : undefined}
            />
          ))}
        </div>
      )}
      {isAllowed && begun && (
        <UnknownReadingForm
          key={round}
          begun={begun}
          onChange={(change) => setBegun((begun) => change(begun ?? NOTHING))}
          isUnkept={isUnkept}
          onSent={onSent}
          onQueued={() => begin(NOTHING)}
          onCancel={() => {
            drop()
            onCancel()
          }}
        />
      )}
    </>
  )
}

/** What was begun, kept on the device as it changes; undefined while it is being read. */
function useBegun() {
  const [begun, setBegun] = useState<Begun>()
  const [isUnkept, setUnkept] = useState(false)
  const kept = useRef<{ begun: Begun; accountId: string }>(undefined)

  useEffect(() => {
    let hasLeft = false
    const read = async () => {
      const begun = await readBegun(currentSessions().map(({ accountId }) => accountId))
      if (hasLeft) return
      kept.current = { begun, accountId: ownerOf(begun) }
      setBegun(begun)
    }
    void read()
    return () => {
      hasLeft = true
    }
  }, [])

  useEffect(() => {
    const last = kept.current
    if (!begun || !last || begun === last.begun) return
    const accountId = ownerOf(begun)
    kept.current = { begun, accountId }
    const moved = last.accountId === accountId ? undefined : forgetBegun(last.accountId)
    // Both begin in this turn: what is sent next takes the draft with it, and must find it.
    Promise.all([moved, keepBegun(accountId, begun)]).then(
      () => setUnkept(false),
      () => setUnkept(true),
    )
  }, [begun])

  const drop = () => void (kept.current && forgetBegun(kept.current.accountId))
  return { begun, setBegun, drop, isUnkept }
}

/** Whose draft it is: the account that was chosen, or the first while none was. */
const ownerOf = ({ draft }: Begun): string => draft.accountId || (currentSessions()[0]?.accountId ?? '')
