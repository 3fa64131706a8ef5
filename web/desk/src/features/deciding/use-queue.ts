import { useCallback, useEffect, useRef, useState } from 'react'
import { decide, fetchNext, undo, type WaitingFilter } from '@/data/deciding.ts'
import { fetchAhead, fetchJob } from '@/data/jobs.ts'
import type { Decision, DeskJob, Reading } from '@/data/types.ts'

/** A reading to decide about, with all that can be said of it. */
export interface Case {
  readonly job: DeskJob
  readonly reading: Reading
  readonly email: string | undefined
  /** What stands for it when the one after it is wanted. */
  readonly place: string | undefined
}

/** What was decided last, and can be taken back. */
export interface Done {
  readonly item: Case
  readonly kind: Decision['kind']
}

const caseOf = (job: DeskJob, readingId: string, email?: string | null, place?: string | null): Case | undefined => {
  const reading = job.file.readings.find(({ id }) => id === readingId)
  return reading && { job, reading, email: email ?? undefined, place: place ?? undefined }
}

/** The readings that wait, one at a time: the next one and its photos are fetched while somebody looks at this one. */
export function useQueue(tenant: string, filter: WaitingFilter) {
  const [current, setCurrent] = useState<Case | 'none'>()
  const [error, setError] = useState<unknown>()
  const [done, setDone] = useState<Done>()
  const [failed, setFailed] = useState<{ readonly item: Case; readonly error: unknown }>()
  const sending = useRef<Promise<unknown>>(undefined)
  const ahead = useRef<Promise<Case | 'none'>>(undefined)
  const wanted = useRef(filter)

  const fetchCase = useCallback(
    async (after: string | undefined): Promise<Case | 'none'> => {
      const { reading, job, email, place } = await fetchNext(tenant, wanted.current, after)
      const found = reading && job ? caseOf(job, reading, email, place) : undefined
      if (!found) return 'none'
      const photos = found.reading.images.map((image) =>
        fetchAhead({ tenant, job: found.job.file.job.id, reading: found.reading.id, image }).catch(() => undefined),
      )
      void Promise.all(photos)
      return found
    },
    [tenant],
  )

  const show = useCallback(
    (item: Case | 'none') => {
      setCurrent(item)
      setError(undefined)
      if (item === 'none') return
      ahead.current = fetchCase(item.place)
      ahead.current.catch(() => undefined)
    },
    [fetchCase],
  )

  const advance = useCallback(async () => {
    const next = ahead.current
    ahead.current = undefined
    try {
      show(await (next ?? fetchCase(undefined)))
    } catch (failure) {
      setError(failure)
    }
  }, [show, fetchCase])

  useEffect(() => {
    void advance()
  }, [advance])

  /**
   * Decides, and shows the next one. A release is sent while the next one is shown already, and what goes wrong with it is in `failed`; the
   * others throw it, with this one and what was typed still there.
   */
  const settle = async (item: Case, decision: Decision) => {
    setFailed(undefined)
    const sent = decide(tenant, item.job.file.job.id, item.reading.id, decision)
    if (decision.kind !== 'release') await sent
    sending.current = sent.catch((error: unknown) => {
      setDone(undefined)
      setFailed({ item, error })
    })
    setDone({ item, kind: decision.kind })
    await advance()
  }

  /** Shows a reading as it is now; whoever stood here comes after it. */
  const bringBack = async (item: Case) => {
    const again = caseOf(await fetchJob(tenant, item.job.file.job.id), item.reading.id, item.email, item.place)
    setFailed(undefined)
    if (!again) return
    if (current && current !== 'none') ahead.current = Promise.resolve(current)
    setCurrent(again)
  }

  /** Takes the last decision back, and shows what it was about. */
  const takeBack = async () => {
    await sending.current
    if (!done) return
    const { item } = done
    const id = item.job.file.job.id
    if (done.kind === 'aside')
      await decide(tenant, id, item.reading.id, { kind: 'aside', version: await versionOf(id, item), note: null })
    else await undo(tenant, id, item.reading.id)
    setDone(undefined)
    await bringBack(item)
  }
  const versionOf = async (id: string, item: Case): Promise<string> =>
    caseOf(await fetchJob(tenant, id), item.reading.id)?.reading.version ?? item.reading.version

  return { current, error, done, failed, advance, settle, takeBack, bringBack }
}
