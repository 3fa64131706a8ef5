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

/** What is going on; nothing else begins until it is over. */
export type Doing = 'sending' | 'advancing' | 'takingBack'

/** The readings that wait, one at a time: the next one and its photos are fetched while somebody looks at this one. */
export function useQueue(tenant: string, filter: WaitingFilter, first?: WaitingId) {
  const [current, setCurrent] = useState<Case | Nothing>()
  const [error, setError] = useState<unknown>()
  const [done, setDone] = useState<Done>()
  const [failed, setFailed] = useState<{ readonly item: Case; readonly error: unknown }>()
  const [doing, setDoing] = useState<Doing>()
  const isBusy = useRef(false)
  /** `current`, before it is rendered. */
  const standing = useRef<Case | Nothing>(undefined)
  /** After which the next one is fetched. */
  const place = useRef<string>(undefined)
  const sending = useRef<Promise<string | undefined>>(undefined)
  const ahead = useRef<Promise<Case | Nothing | undefined>>(undefined)
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

  /** Does one thing at a time: what is asked for meanwhile was meant for what is about to go. */
  const alone = useCallback(async (what: Doing, act: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    setDoing(what)
    try {
      await act()
    } finally {
      isBusy.current = false
      setDoing(undefined)
    }
  }, [])

  const show = useCallback((item: Case | Nothing | undefined) => {
    standing.current = item
    setCurrent(item)
    if (item !== undefined && typeof item !== 'string') place.current = item.place
  }, [])

  const advance = useCallback(async () => {
    setError(undefined)
    try {
      const next = (await ahead.current) ?? (await fetchCase(place.current))
      show(next)
      // One that did not come is fetched again when it is wanted.
      ahead.current = typeof next === 'string' ? undefined : fetchCase(next.place).catch(() => undefined)
    } catch (failure) {
      // Nobody decides again about the one that stood here.
      show(undefined)
      setError(failure)
    }
  }, [show, fetchCase])

  /** Shows the next one. */
  const skip = useCallback(async () => alone('advancing', advance), [alone, advance])

  useEffect(() => {
    void skip()
  }, [skip])

  /**
   * Decides, and shows the next one. A release is sent while the next one is shown already, and what goes wrong with it is in `failed`; the
   * others throw it, with this one and what was typed still there.
   */
  const settle = async (item: Case, decision: Decision) =>
    alone(decision.kind === 'release' ? 'advancing' : 'sending', async () => {
      setFailed(undefined)
      const sent = decide(tenant, item.job, item.reading, decision)
      if (decision.kind === 'release') void sent.catch(() => undefined)
      else await sent
      setDoing('advancing')
      await advance()
      const made: Done = { item, kind: decision.kind }
      // Not before the next one is there: until then it cannot be taken back.
      setDone(made)
      sending.current = sent
        .then(({ at, proposed }) => {
          if (proposed) setDone((last) => (last === made ? { item, kind: 'proposed' } : last))
          return at
        })
        .catch((error: unknown) => {
          setDone((last) => (last === made ? undefined : last))
          setFailed({ item, error })
          return undefined
        })
    })

  /** Takes a proposal of one's own back, and shows the next one. */
  const withdraw = async ({ job, reading }: Case, at: string) =>
    alone('sending', async () => {
      await undo(tenant, job, reading, at)
      await advance()
    })

  /** Shows a reading as it is now; whoever stood here comes after it. */
  const bringBack = async (item: Case) => {
    const again =
      item.kind === 'ofJob'
        ? caseOf(await fetchJob(tenant, item.job), item.reading, item.email, item.place)
        : caseOfNext(await fetchThis(tenant, item))
    setFailed(undefined)
    if (!again) return
    const other = standing.current
    if (other !== undefined && typeof other !== 'string') ahead.current = Promise.resolve(other)
    setError(undefined)
    show(again)
  }

  /** Shows the one about which nothing was decided, as it is now. */
  const lookAgain = async () =>
    alone('advancing', async () => {
      if (failed) await bringBack(failed.item)
    })

  /** Takes the last decision back, and shows what it was about. */
  const takeBack = async () =>
    alone('takingBack', async () => {
      const made = await sending.current
      if (!done || made === undefined) return
      const { item } = done
      if (done.kind === 'aside')
        await decide(tenant, item.job, item.reading, { kind: 'aside', version: await versionOf(item), note: null })
      else await undo(tenant, item.job, item.reading, made)
      setDone(undefined)
      await bringBack(item)
    })
  const versionOf = async ({ kind, job, reading, version }: Case): Promise<string> =>
    (kind === 'ofJob'
      ? caseOf(await fetchJob(tenant, job), reading)
      : caseOfNext(await fetchThis(tenant, { job, reading }))
    )?.version ?? version

  return { current, error, done, failed, doing, skip, settle, withdraw, takeBack, lookAgain }
}
