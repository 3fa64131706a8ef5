/** Sends what is in the outbox, in order, one tab at a time (L4). */
import { useMemo, useSyncExternalStore } from 'react'
import { ApiError, PHOTO_STUCK, UNREACHABLE } from '@shared/api/client.ts'
import type { Job } from '@shared/contract/types.ts'
import { currentSessions, onSessions } from '@/auth/sessions.ts'
import { replaceJob } from '@/data/jobs.ts'
import { awaitNetwork, isOnline, onConnectivity, probe } from '@/device/connectivity.ts'
import { deleteDraft } from '@/device/drafts.ts'
import {
  draftPlace,
  type NewEntry,
  type OutboxEntry,
  type OwnReadingEntry,
  type Refusal,
  type TaskEntry,
} from '@/device/entry.ts'
import { pause } from '@/device/pause.ts'
import { LONGEST_OBEYED_MS } from '@/device/pauses.ts'
import { persist } from '@/device/persistence.ts'
import type { Photo } from '@/device/photo.ts'
import { oneTabAtATime } from '@/device/tabs.ts'
import { FIRST_DELAY_MS, LONGEST_DELAY_MS } from './delays.ts'
import {
  currentEntries,
  enqueue,
  keptPhotos,
  OUTBOX_LOCK,
  onOutbox,
  onWanted,
  PhotoGone,
  readEntries,
  readEntry,
  settle,
  takeBack,
  update,
  useEntries,
} from './outbox.ts'
import { isOver, sendEntry } from './sender.ts'

/** Between two entries, and after the last one (L9). */
const BETWEEN_MS = 300
const AFTER_LAST_MS = 500
/** How long a failure lasts, and a retry without a network waits for an answer (L9). */
const FAILURE_MS = 2_000
/** The server knows an attempt by its key for 35 days; a later one could arrive twice (D-OUTBOX-4). */
const KEY_LIFE_MS = 30 * 86_400_000
/** Why another try at a stuck photo was ended that has not failed: another entry may go, or a caller waits. */
const GAVE_WAY = 'gave way'

/**
 * What became of an entry: sent; kept to be sent later, or to be given up; not taken, and a draft again; or neither sent nor kept, because the
 * device has no room for it.
 */
export type Delivery =
  | { state: 'sent' }
  | { state: 'kept' }
  | { state: 'refused'; refusal: Refusal }
  | { state: 'unkept'; error: ApiError }

let isSending = false
/** Entries whose form is open and waits for the answer. */
let delivering: ReadonlySet<NewEntry> = new Set()
/** How many readings that were entered in this tab had to wait, and the last of them. */
let keptHere: { readonly count: number; readonly last?: OutboxEntry } = { count: 0 }
/** Entries whose photo got stuck since the network came last: the next one may let it through. */
const stuckHere = new Set<string>()
/** How often a person has wanted to take something out, in whichever tab. */
let wanted = 0
let waiting: Promise<boolean> | undefined
let wake: number | undefined
const listeners = new Set<() => void>()
/** Called with the key of an entry that was tried, or without one when nothing more will be. */
const tried = new Set<(key?: string) => void>()

/** Sends whenever there is something to send and a chance that it arrives. */
export function startReplay(): void {
  const resume = () => {
    if (isOnline()) void replay(false)
  }
  onConnectivity(() => {
    stuckHere.clear()
    resume()
  })
  onSessions(resume)
  onOutbox(schedule)
  onOutbox(watch)
  onWanted(() => {
    wanted += 1
    notify()
  })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && resume())
  schedule()
  watch()
  resume()
}

let stopAwaiting: (() => void) | undefined

/** While something waits, the network is looked for more often. */
function watch(): void {
  const isWaiting = currentEntries().some(({ refusal }) => !refusal)
  if (isWaiting) stopAwaiting ??= awaitNetwork()
  else {
    stopAwaiting?.()
    stopAwaiting = undefined
  }
}

/** Whether entries are on their way, other than one that a form waits for. */
export const useIsSending = (): boolean => useSyncExternalStore(subscribe, () => isSending)

/** Whether a form waits for the answer to what it has just sent. */
export const useIsDelivering = (): boolean => useSyncExternalStore(subscribe, () => delivering.size > 0)

/** The entries that no form waits for. */
export function useWaitingEntries(): readonly OutboxEntry[] {
  const all = useEntries()
  const current = useSyncExternalStore(subscribe, () => delivering)
  return useMemo(() => {
    const keys = new Set([...current].map(({ key }) => key))
    return all.filter(({ key }) => !keys.has(key))
  }, [all, current])
}

/** How many readings that were entered in this tab had to wait, so far, and the last of them as it was then. */
export const useKeptHere = (): typeof keptHere => useSyncExternalStore(subscribe, () => keptHere)

/** What waits for one job. */
export const useWaitingEntry = (job: Pick<Job, 'id' | 'login'>): TaskEntry | undefined =>
  waitingFor(job, useWaitingEntries())

/** The same among entries that are at hand. */
export const waitingFor = (job: Pick<Job, 'id' | 'login'>, entries: readonly OutboxEntry[]): TaskEntry | undefined =>
  entries.find(
    (entry): entry is TaskEntry =>
      entry.kind === 'send-task-results' && entry.accountId === job.login && entry.jobId === job.id,
  )

/** The readings without a job that wait. */
export const useWaitingOwnReadings = (): readonly OwnReadingEntry[] =>
  useWaitingEntries().filter((entry) => entry.kind === 'unknown-reading')

/**
 * Puts an entry into the outbox and tries to send it. If the server does not take it, it is a draft again, as
 * `draftOf` makes it: the caller is there to mend it, unless the form is left (`leaveDelivery`) or its job is over.
 */
export async function deliver<Entry extends NewEntry>(
  entry: Entry,
  photos: readonly Photo[],
  draftOf: (entry: Entry) => unknown,
): Promise<Delivery> {
  const { key } = entry
  show(isSending, new Set([...delivering, entry]))
  try {
    await enqueue(entry, photos).catch(() => Promise.reject(new NoRoom()))
    await triedOnce(key)
    const left = await readEntry(key)
    if (!left) return { state: 'sent' }
    if (!left.refusal) {
      keptHere = { count: keptHere.count + 1, last: left }
      void persist(false)
    }
    // A draft would never be shown.
    if (!left.refusal || isOver(left.refusal) || !delivering.has(entry)) return { state: 'kept' }
    await takeBack(left, () => draftOf(entry))
    return { state: 'refused', refusal: left.refusal }
  } catch (error) {
    if (error instanceof NoRoom) return deliverUnkept(entry, photos)
    throw error
  } finally {
    show(isSending, new Set([...delivering].filter((other) => other !== entry)))
    resumeStuck()
  }
}

/** Goes on with what was passed over for a caller that waited: its time may have come meanwhile, and no timer is set for it any more. */
function resumeStuck(): void {
  if (delivering.size === 0 && isOnline() && currentEntries().some(({ isPhotoStuck }) => isPhotoStuck))
    void replay(false)
}

/** The form for a place is gone: what it sent is shown as waiting until it has arrived, and keeps a refusal. */
export function leaveDelivery(place: readonly [accountId: string, jobId: string]): void {
  const others = [...delivering].filter((entry) => String(draftPlace(entry)) !== String(place))
  if (others.length === delivering.size) return
  show(isSending, new Set(others))
  resumeStuck()
}

/** The device could not keep the entry. */
class NoRoom extends Error {}

/** Sends what only this page has: better than not at all. */
async function deliverUnkept(entry: NewEntry, photos: readonly Photo[]): Promise<Delivery> {
  const held = {
    read: async (id: string) => {
      const blob = photos.find((photo) => photo.id === id)?.blob ?? new Blob()
      return { bytes: await blob.arrayBuffer() }
    },
    note: () => Promise.reject(new NoRoom()),
  }
  try {
    const job = await oneTabAtATime(OUTBOX_LOCK, () => sendEntry(entry, held, async () => undefined))
    await deleteDraft(...draftPlace(entry)).catch(() => undefined)
    if (job) await replaceJob(job)
    return { state: 'sent' }
  } catch (error) {
    return { state: 'unkept', error: error instanceof ApiError ? error : new ApiError('internal-error') }
  }
}

/** One attempt at an entry, or at one before it that held it up. */
function triedOnce(key: string): Promise<void> {
  return new Promise((resolve) => {
    const listener = (triedKey?: string) => {
      if (triedKey === undefined || triedKey === key) resolve()
    }
    tried.add(listener)
    void replay(true).finally(() => {
      tried.delete(listener)
      resolve()
    })
  })
}

/**
 * Goes through the outbox once, and resolves with whether all was tried; a failure lasts 2 s (L9). With `now`, entries that
 * were put off are tried, too. Calls that come while one waits for its turn share it.
 */
export function replay(now: boolean): Promise<boolean> {
  if (waiting && !now) return waiting
  // A later call stands in line behind this one.
  const before = wanted
  const turn = oneTabAtATime(OUTBOX_LOCK, () => {
    if (waiting === turn) waiting = undefined
    return run(now, () => wanted !== before)
  })
    .then(async (end) => {
      if (end !== 'empty') await pause(end === 'through' ? AFTER_LAST_MS : FAILURE_MS)
      return end !== 'failed'
    })
    .finally(() => show(false, delivering))
  waiting = turn
  return turn
}

async function run(now: boolean, isWanted: () => boolean): Promise<'empty' | 'through' | 'failed'> {
  const done = new Set<number>()
  // Another try at a stuck photo takes its time: no caller is to wait for it.
  const isAwaited = () => delivering.size > 0 || isWanted()
  const next = (all: readonly OutboxEntry[]) =>
    nextOf(isAwaited() ? all.filter(({ isPhotoStuck }) => !isPhotoStuck) : all, done, now)
  const mustGiveWay = () => {
    const other = next(currentEntries())
    return isAwaited() || (other !== undefined && !other.isPhotoStuck)
  }
  let isThrough = true
  for (let entry = next(await readEntries()); entry && isThrough; entry = next(await readEntries())) {
    show(true, delivering)
    if (done.size > 0) await pause(BETWEEN_MS)
    isThrough =
      (done.size > 0 || isOnline() || (await probe(FAILURE_MS))) &&
      (await (entry.isPhotoStuck ? attemptStuck(entry, mustGiveWay) : attempt(entry)))
    done.add(entry.seq)
    notifyTried(entry.key)
  }
  notifyTried()
  if (isWanted()) resumeStuck()
  return done.size === 0 ? 'empty' : isThrough ? 'through' : 'failed'
}

/** The next entry of a round that may be sent, one with a stuck photo last: its account is logged in, the reader need not look at it first, and its time has come. */
function nextOf(all: readonly OutboxEntry[], done: ReadonlySet<number>, now: boolean): OutboxEntry | undefined {
  const accounts = new Set(currentSessions().map(({ accountId }) => accountId))
  const stuck = all.filter(({ isPhotoStuck }) => isPhotoStuck)
  for (const entry of [...all.filter(({ isPhotoStuck }) => !isPhotoStuck), ...stuck]) {
    if (done.has(entry.seq) || entry.refusal || !accounts.has(entry.accountId)) continue
    if (now || isDue(entry.notBefore) || (entry.isPhotoStuck && !stuckHere.has(entry.key))) return entry
    if (entry.holdsUp) return undefined
  }
  return undefined
}

/** No answer is obeyed for longer: what seems to be put off for more was put off before the device's clock was set right. */
function isDue(notBefore: number): boolean {
  const wait = notBefore - Date.now()
  return wait <= 0 || wait > LONGEST_OBEYED_MS
}

/** Tries a photo that was stuck once more, until it must give way to a caller or an entry that would wait for it. */
async function attemptStuck(entry: OutboxEntry, mustGiveWay: () => boolean): Promise<boolean> {
  const way = new AbortController()
  const look = () => {
    if (mustGiveWay()) way.abort(GAVE_WAY)
  }
  const ends = [subscribe(look), onOutbox(look)]
  look()
  try {
    return await attempt(entry, way)
  } finally {
    for (const end of ends) end()
  }
}

/** Returns whether those behind it have a chance. */
async function attempt(entry: OutboxEntry, way?: AbortController): Promise<boolean> {
  const { holdsUp: _, later: __, ...begun } = { ...entry, attempted: entry.attempted ?? Date.now() }
  if (Date.now() - begun.attempted > KEY_LIFE_MS) {
    await note({ ...entry, refusal: { code: 'too-old', fieldErrors: [] } })
    return true
  }
  let current: OutboxEntry = begun
  const noteBody = (body: string) => {
    current = { ...current, body }
    return note(current)
  }
  await note(current)
  try {
    await settle(current, await sendEntry(current, { ...keptPhotos, ...(way && { way }) }, noteBody))
    return true
  } catch (error) {
    const known = error instanceof ApiError ? error : ownFault(error)
    const { code, status, fieldErrors, retryAfter } = known
    const reaction = reactionTo(known)
    if (reaction === 'login') return true
    if (reaction === 'ask') {
      const { body: ___, ...answered } = current
      await note({ ...answered, refusal: { code, fieldErrors, ...(status !== undefined && { status }) } })
      return true
    }
    if (way?.signal.reason === GAVE_WAY && (code === PHOTO_STUCK || code === UNREACHABLE)) {
      // Soon once more: for a time that is past no timer is set.
      await note({ ...current, notBefore: Date.now() + FIRST_DELAY_MS })
      return true
    }
    // Without a network there is nothing to put off: it goes when the network is back.
    if (status === undefined && !(await probe())) return false
    const delay = retryAfter
      ? Math.min(retryAfter * 1000, LONGEST_OBEYED_MS)
      : Math.min(FIRST_DELAY_MS * 2 ** current.delays, LONGEST_DELAY_MS)
    const later = status === 429 &&
      retryAfter !== undefined && { later: { code, until: Date.now() + retryAfter * 1000 } }
    const isPhotoStuck = code === PHOTO_STUCK
    if (isPhotoStuck) stuckHere.add(entry.key)
    const putOff = { ...current, ...later, isPhotoStuck, delays: current.delays + 1, notBefore: Date.now() + delay }
    await note(reaction === 'holdUp' ? { ...putOff, holdsUp: true } : putOff)
    return reaction === 'putOff'
  }
}

/** Notes what is known about an entry. A device without room loses that, and sends all the same. */
const note = (entry: OutboxEntry): Promise<void> => update(entry).catch(() => undefined)

/** What failed at this device says nothing about the reading, and may go the next time; a photo that is gone stays so. */
const ownFault = (error: unknown): ApiError =>
  new ApiError('internal-error', { status: error instanceof PhotoGone ? 400 : 500 })

/**
 * What to do about a failure: wait for a `login`; `holdUp` everything while the network or the server is out of order, or a machine in
 * between answers (D-OUTBOX-8); `putOff` this entry alone; `ask` the person who entered it.
 */
function reactionTo({ code, status }: ApiError): 'login' | 'holdUp' | 'putOff' | 'ask' {
  if (code === 'session-ended') return 'login'
  // One meter's limit until tomorrow (D-READING-16): the others have nothing to do with it.
  if (code === 'too-many-readings') return 'putOff'
  // The portal is there, as the probe has found: what goes without a photo, or to it from another network, has a chance.
  if (code === PHOTO_STUCK) return 'putOff'
  if (status === undefined || code === 'temporarily-unavailable') return 'holdUp'
  if (status === 429 || status === 502 || status === 503 || status === 504) return 'holdUp'
  if (status === 401 || status === 408 || status === 409 || status >= 500) return 'putOff'
  return 'ask'
}

/** Comes back when the first entry that was put off is due. */
function schedule(): void {
  clearTimeout(wake)
  const times = currentEntries().flatMap(({ refusal, notBefore }) => (refusal ? [] : notBefore))
  const soonest = Math.min(...times.filter((time) => !isDue(time)))
  if (!Number.isFinite(soonest)) return
  wake = window.setTimeout(() => {
    // What is due now may go in the round that is under way, before another try at a stuck photo.
    notify()
    if (isOnline()) void replay(false)
  }, soonest - Date.now())
}

const notifyTried = (key?: string) => {
  for (const listener of tried) listener(key)
}

function show(sending: boolean, entries: ReadonlySet<NewEntry>): void {
  isSending = sending
  delivering = entries
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
