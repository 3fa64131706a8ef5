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

/** Why there is nothing to decide about: all is done, another member looks at what was picked, or it waits no longer. */
export type Nothing = 'none' | 'withAnother' | 'gone'

/** A release that was not taken, and why. */
interface Failure {
  readonly item: Case
  readonly error: unknown
}

/** What was decided last, and can be taken back. */
export interface Done {
  readonly item: Case
  readonly kind: Decision['kind'] | 'proposed' | 'mailed'
}

const caseOf = (
  file: DeskJob,
  readingId: string,
  email?: string | null,
  place?: string | null,
): JobCase | undefined => {
  const { readings } = file.file
  // By the id of the one without a job, the first of those that it became and that still count.
  const became = ({ withoutJob, state }: Reading) => withoutJob === readingId && state === 'counts'
  const read = readings.find(({ id }) => id === readingId) ?? readings.find(became)
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

const isSame = (one: WaitingId, other: WaitingId) => one.job === other.job && one.reading === other.reading

/** The reading with which it begins; `isAnew`: as its job has it, whether it waits or not. */
export interface Picked extends WaitingId {
  readonly isAnew: boolean
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

/** The reading as its job has it. */
const fetchAnew = async (tenant: string, { job, reading }: WaitingId): Promise<Case | Nothing> =>
  caseOf(await fetchJob(tenant, job), reading) ?? 'gone'

/** This one of those that wait, or the next one after that place. */
async function fetchWaiting(
  tenant: string,
  filter: WaitingFilter,
  one: WaitingId | undefined,
  after: string | undefined,
): Promise<Case | Nothing> {
  let next = await (one ? fetchThis(tenant, one) : fetchNext(tenant, filter, after))
  // One call looks at hundreds only, which may all be put aside.
  while (!next.reading && next.place) next = await fetchNext(tenant, filter, next.place)
  const found = caseOfNext(next)
  if (found) return found
  if (!one) return 'none'
  return next.isWithAnother ? 'withAnother' : 'gone'
}

/** What is going on; nothing else begins until it is over. */
export type Doing = 'sending' | 'advancing' | 'takingBack'

/** Does one thing at a time: what is asked for meanwhile was meant for what is about to go. */
function useAlone() {
  const [doing, setDoing] = useState<Doing>()
  const isBusy = useRef(false)
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
  return { doing, setDoing, alone }
}

/** The readings that wait, one at a time: the next one and its photos are fetched while the clerk looks at this one. */
export function useQueue(tenant: string, filter: WaitingFilter, first?: Picked) {
  const [current, setCurrent] = useState<Case | Nothing>()
  const [error, setError] = useState<unknown>()
  const [done, setDone] = useState<Done>()
  const [failed, setFailed] = useState<readonly Failure[]>([])
  const { doing, setDoing, alone } = useAlone()
  /** `current`, before it is rendered. */
  const standing = useRef<Case | Nothing>(undefined)
  /** After which the next one is fetched. */
  const place = useRef<string>(undefined)
  const sending = useRef<Promise<string | undefined>>(undefined)
  /** Settles when all releases that were sent have been taken or have failed. */
  const released = useRef<Promise<unknown>>(undefined)
  const ahead = useRef<Promise<Case | undefined>>(undefined)
  const wanted = useRef(filter)
  const picked = useRef(first)

  const fetchCase = useCallback(
    async (after: string | undefined): Promise<Case | Nothing> => {
      const one = picked.current
      const found = one?.isAnew ? await fetchAnew(tenant, one) : await fetchWaiting(tenant, wanted.current, one, after)
      picked.current = undefined
      if (typeof found === 'string') return found
      const photos = found.images.map((image) =>
        fetchAhead({ tenant, job: found.job, reading: found.reading, image }).catch(() => undefined),
      )
      void Promise.all(photos)
      return found
    },
    [tenant],
  )

  const dismiss = useCallback((item: Case) => {
    setFailed((all) => all.filter((failure) => !isSame(failure.item, item)))
  }, [])

  const show = useCallback(
    (item: Case | Nothing | undefined) => {
      standing.current = item
      setCurrent(item)
      if (item === undefined || typeof item === 'string') return
      place.current = item.place
      dismiss(item)
    },
    [dismiss],
  )

  /** Who has passed over some comes to them again after the last one. */
  const fetchFollowing = useCallback(async () => {
    const next = await fetchCase(place.current)
    if (next !== 'none' || place.current === undefined) return next
    await released.current
    return fetchCase(undefined)
  }, [fetchCase])

  const advance = useCallback(async () => {
    setError(undefined)
    try {
      const next = (await ahead.current) ?? (await fetchFollowing())
      show(next)
      // One that did not come is fetched again when it is wanted: by then, more may wait.
      ahead.current =
        typeof next === 'string'
          ? undefined
          : fetchCase(next.place).then(
              (found) => (typeof found === 'string' ? undefined : found),
              () => undefined,
            )
    } catch (failure) {
      // The one that stood here is not decided about again.
      show(undefined)
      setError(failure)
    }
  }, [show, fetchCase, fetchFollowing])

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
      const sent = decide(tenant, item.job, item.reading, decision)
      if (decision.kind === 'release') released.current = Promise.allSettled([released.current, sent])
      else await sent
      setDoing('advancing')
      await advance()
      const made: Done = { item, kind: decision.kind }
      // Not before the next one is there: until then it cannot be taken back.
      setDone(made)
      sending.current = sent
        .then(({ at, proposed, mailed }) => {
          const more = proposed ? 'proposed' : mailed && 'mailed'
          if (more) setDone((last) => (last === made ? { item, kind: more } : last))
          return at
        })
        .catch((error: unknown) => {
          setDone((last) => (last === made ? undefined : last))
          setFailed((all) => [...all, { item, error }])
          return undefined
        })
    })

  /** Takes a proposal of one's own back, and shows the next one. */
  const withdraw = async ({ job, reading }: Case, at: string) =>
    alone('sending', async () => {
      await undo(tenant, job, reading, at)
      await advance()
    })

  /** Shows a reading as it is now; the one that stood here comes after it. */
  const bringBack = async (item: Case) => {
    const again =
      item.kind === 'ofJob'
        ? caseOf(await fetchJob(tenant, item.job), item.reading, item.email, item.place)
        : caseOfNext(await fetchThis(tenant, item))
    dismiss(item)
    if (!again) return
    const other = standing.current
    if (other !== undefined && typeof other !== 'string' && !isSame(other, item)) ahead.current = Promise.resolve(other)
    setError(undefined)
    show(again)
  }

  /** Shows one about which nothing was decided, as it is now. */
  const lookAgain = async (item: Case) => alone('advancing', async () => bringBack(item))

  /** Takes the last decision back, and shows what it was about. */
  const takeBack = async () =>
    alone('takingBack', async () => {
      const made = await sending.current
      if (!done || made === undefined) return
      await undo(tenant, done.item.job, done.item.reading, made)
      setDone(undefined)
      await bringBack(done.item)
    })

  return { current, error, done, failed, doing, skip, settle, withdraw, takeBack, lookAgain, dismiss }
}
