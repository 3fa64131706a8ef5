import { useCallback, useEffect, useRef, useState } from 'react'
import { decide, fetchNext, fetchThis, undo, type WaitingFilter, type WaitingId } from '@/data/deciding.ts'
import { fetchAhead, fetchJob } from '@/data/jobs.ts'
import type { Decision, DeskJob, Reading, ReadingWithoutJob, Suggestion } from '@/data/types.ts'

interface Waiting extends WaitingId {
  readonly version: string
  /** The meter's number. */
  readonly number: string
  readonly day: string
  readonly images: readonly string[]
  readonly email: string | undefined
  /** What stands for it when the one after it is wanted. */
  readonly place: string | undefined
}

/** A reading of a job to decide about, with all that can be said of it. */
export interface JobCase extends Waiting {
  readonly kind: 'ofJob'
  readonly file: DeskJob
  readonly read: Reading
}

/** A reading that came without a job, with the jobs that it may belong to. */
export interface CaseWithoutJob extends Waiting {
  readonly kind: 'withoutJob'
  readonly read: ReadingWithoutJob
  readonly suggestions: readonly Suggestion[]
}

export type Case = JobCase | CaseWithoutJob

/** Why there is nothing to decide about: all is done, somebody else looks at what was picked, or it waits no longer. */
export type Nothing = 'none' | 'withAnother' | 'gone'

/** What was decided last, and can be taken back. */
export interface Done {
  readonly item: Case
  readonly kind: Decision['kind'] | 'proposed'
}

const caseOf = (
  file: DeskJob,
  readingId: string,
  email?: string | null,
  place?: string | null,
): JobCase | undefined => {
  const read = file.file.readings.find(({ id }) => id === readingId)
  return (
    read && {
      kind: 'ofJob',
      job: file.file.job.id,
      reading: read.id,
      version: read.version,
      number: read.meterNumber ?? read.obis,
      day: read.readingDate,
      images: read.images,
      email: email ?? undefined,
      place: place ?? undefined,
      file,
      read,
    }
  )
}

type Next = Awaited<ReturnType<typeof fetchNext>>

function caseOfNext({ reading, job, withoutJob, suggestions, email, place }: Next): Case | undefined {
  if (reading && job) return caseOf(job, reading, email, place)
  return withoutJob
    ? {
        kind: 'withoutJob',
        job: withoutJob.id,
        reading: withoutJob.id,
        version: withoutJob.version,
        number: withoutJob.meterNumber,
        day: withoutJob.readingDate,
        images: withoutJob.values.flatMap(({ images }) => images),
        email: email ?? undefined,
        place: place ?? undefined,
        read: withoutJob,
        suggestions: suggestions ?? [],
      }
    : undefined
}

/** The readings that wait, one at a time: the next one and its photos are fetched while somebody looks at this one. */
export function useQueue(tenant: string, filter: WaitingFilter, first?: WaitingId) {
  const [current, setCurrent] = useState<Case | Nothing>()
  const [error, setError] = useState<unknown>()
  const [done, setDone] = useState<Done>()
  const [failed, setFailed] = useState<{ readonly item: Case; readonly error: unknown }>()
  /** The last decision is being taken back: what stands here is about to go. */
  const [isTakingBack, setTakingBack] = useState(false)
  const sending = useRef<Promise<string | undefined>>(undefined)
  const ahead = useRef<Promise<Case | Nothing>>(undefined)
  const wanted = useRef(filter)
  const picked = useRef(first)

  const fetchCase = useCallback(
    async (after: string | undefined): Promise<Case | Nothing> => {
      const one = picked.current
      const next = await (one ? fetchThis(tenant, one) : fetchNext(tenant, wanted.current, after))
      picked.current = undefined
      const found = caseOfNext(next)
      if (!found && one) return next.isWithAnother ? 'withAnother' : 'gone'
      if (!found) return 'none'
      const photos = found.images.map((image) =>
        fetchAhead({ tenant, job: found.job, reading: found.reading, image }).catch(() => undefined),
      )
      void Promise.all(photos)
      return found
    },
    [tenant],
  )

  const show = useCallback(
    (item: Case | Nothing) => {
      setCurrent(item)
      setError(undefined)
      if (typeof item === 'string') return
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
    const sent = decide(tenant, item.job, item.reading, decision)
    if (decision.kind !== 'release') await sent
    const made: Done = { item, kind: decision.kind }
    setDone(made)
    sending.current = sent
      .then(({ at, proposed }) => {
        if (proposed) setDone((last) => (last === made ? { item, kind: 'proposed' } : last))
        return at
      })
      .catch((error: unknown) => {
        setDone(undefined)
        setFailed({ item, error })
        return undefined
      })
    await advance()
  }

  /** Shows a reading as it is now; whoever stood here comes after it. */
  const bringBack = async (item: Case) => {
    const again =
      item.kind === 'ofJob'
        ? caseOf(await fetchJob(tenant, item.job), item.reading, item.email, item.place)
        : caseOfNext(await fetchThis(tenant, item))
    setFailed(undefined)
    if (!again) return
    if (current && typeof current !== 'string') ahead.current = Promise.resolve(current)
    setCurrent(again)
  }

  /** Takes the last decision back, and shows what it was about. */
  const takeBack = async () => {
    const made = await sending.current
    if (!done || made === undefined) return
    const { item } = done
    setTakingBack(true)
    try {
      if (done.kind === 'aside')
        await decide(tenant, item.job, item.reading, { kind: 'aside', version: await versionOf(item), note: null })
      else await undo(tenant, item.job, item.reading, made)
      setDone(undefined)
      await bringBack(item)
    } finally {
      setTakingBack(false)
    }
  }
  const versionOf = async ({ kind, job, reading, version }: Case): Promise<string> =>
    (kind === 'ofJob'
      ? caseOf(await fetchJob(tenant, job), reading)
      : caseOfNext(await fetchThis(tenant, { job, reading }))
    )?.version ?? version

  return { current, error, done, failed, isTakingBack, advance, settle, takeBack, bringBack }
}
