/**
 * What was entered and has not arrived. An entry is in the database before anything is sent, and leaves it only after the
 * server took it or a person gave it up; it is the same for all tabs.
 */
import { useMemo, useSyncExternalStore } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { useSessions } from '@/auth/sessions.ts'
import { replaceJob } from '@/data/jobs.ts'
import { addPhotos, change, files, inTurn, readPhotos } from '@/device/change.ts'
import { database } from '@/device/db.ts'
import { forgetDraft, type KeptDraft, rememberDraft } from '@/device/drafts.ts'
import { draftPlace, type NewEntry, type OutboxEntry, photoIdsOf } from '@/device/entry.ts'
import type { Photo } from '@/device/photo.ts'
import { channelOf, oneTabAtATime } from '@/device/tabs.ts'
import type { Photos } from './sender.ts'

/** One tab at a time sends, or takes something out. */
export const OUTBOX_LOCK = 'zaehlwerk-outbox'

type Message = { kind: 'changed' } | { kind: 'wanted' } | { kind: 'sent'; job: Job }

let entries: readonly OutboxEntry[] = []
const listeners = new Set<() => void>()
const wanting = new Set<() => void>()
const channel = channelOf<Message>('zaehlwerk-outbox')

/** Shows what is waiting from an earlier visit, and follows what other tabs do. */
export async function startOutbox(): Promise<void> {
  channel.listen((message) => {
    if (message.kind === 'wanted') return notifyWanted()
    void reload()
    if (message.kind === 'sent') void replaceJob(message.job)
  })
  // A page that comes back from a browser's memory has heard of nothing.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void reload()
  })
  await reload()
}

/** Everything that is waiting, in order; also what belongs to accounts that are not logged in. */
export const currentEntries = (): readonly OutboxEntry[] => entries

/** Calls back when an entry comes, goes or changes; the returned function stops that. */
export function onOutbox(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls back when a person waits, in whichever tab, to take something out. */
export const onWanted = (listener: () => void): void => void wanting.add(listener)

/** Everything that is waiting on this device. */
export const useAllEntries = (): readonly OutboxEntry[] => useSyncExternalStore(onOutbox, currentEntries)

/** What is waiting for the accounts that are logged in; no person sees what another one entered. */
export function useEntries(): readonly OutboxEntry[] {
  const all = useAllEntries()
  const sessions = useSessions()
  return useMemo(
    () => all.filter((entry) => sessions.some(({ accountId }) => accountId === entry.accountId)),
    [all, sessions],
  )
}

/**
 * Puts an entry with its photos into the outbox, in the place of the draft that it was. Rejects when the device cannot keep it:
 * then nothing has changed.
 */
export async function enqueue(entry: NewEntry, photos: readonly Photo[]): Promise<void> {
  const place = draftPlace(entry)
  await inTurn(async () => {
    const added = await files(entry.accountId, photos)
    await change(async (stores) => {
      const draft = await stores.drafts.get(place)
      await addPhotos(stores, added)
      await stores.drafts.delete(place)
      // The database gives it its number.
      await stores.outbox.add({ ...entry, delays: 0, notBefore: 0 } as OutboxEntry)
      return draft?.photoIds ?? []
    })
  })
  forgetDraft(...place)
  await changed()
}

/** Changes what is known about an entry, as long as it is there. */
export async function update(entry: OutboxEntry): Promise<void> {
  const { store, done } = (await database()).transaction('outbox', 'readwrite')
  const put = async () => {
    if (await store.getKey(entry.seq)) await store.put(entry)
  }
  await Promise.all([put(), done])
  await changed()
}

/** The server took an entry: it goes, with its photos, and every tab shows the job, if it has one, as it is now. */
export async function settle(entry: OutboxEntry, job: Job | undefined): Promise<void> {
  await remove(entry)
  if (!job) return changed()
  channel.tell({ kind: 'sent', job })
  const left = await readEntries()
  // In one turn, so that the job is never shown with neither its reading nor its result.
  show(left)
  await replaceJob(job)
}

/** Takes something out for a person, whom another try at a stuck photo does not keep waiting. */
function takeOut<T>(work: () => Promise<T>): Promise<T> {
  // In line before it is told: what follows that try comes after.
  const turn = oneTabAtATime(OUTBOX_LOCK, work)
  channel.tell({ kind: 'wanted' })
  notifyWanted()
  return turn
}

/** A person gives an entry up. */
export const discard = (key: string): Promise<void> =>
  takeOut(async () => {
    const entry = await readEntry(key)
    if (!entry) return
    await remove(entry)
    await changed()
  })

/**
 * Takes an entry out to be changed: it becomes a draft again (D-OUTBOX-3). Returns the draft, or undefined when it cannot: it
 * was sent meanwhile, or another reading without a job is a draft, which must not be lost.
 */
export const takeBack = <Entry extends OutboxEntry>(
  { key }: Entry,
  contentOf: (entry: Entry) => unknown,
): Promise<KeptDraft | undefined> =>
  takeOut(async () => {
    // What a key stands for never changes its kind.
    const entry = (await readEntry(key)) as Entry | undefined
    if (!entry) return undefined
    const [accountId, jobId] = draftPlace(entry)
    const photoIds = photoIdsOf(entry)
    const content = contentOf(entry)
    let isTaken = true
    await inTurn(() =>
      change(async ({ outbox, drafts }) => {
        const before = await drafts.get([accountId, jobId])
        isTaken = !before || entry.kind !== 'unknown-reading'
        if (!isTaken) return []
        await drafts.put({ accountId, jobId, content, photoIds })
        await outbox.delete(entry.seq)
        return before?.photoIds ?? []
      }),
    )
    if (!isTaken) return undefined
    const draft = { accountId, jobId, content, photos: await readPhotos(photoIds) }
    rememberDraft(draft)
    await changed()
    return draft
  })

/** One entry as it is now, whichever tab changed it. */
export const readEntry = async (key: string): Promise<OutboxEntry | undefined> =>
  (await database()).getFromIndex('outbox', 'key', key)

/** All entries as they are now, in order. */
export const readEntries = async (): Promise<OutboxEntry[]> => (await database()).getAll('outbox')

/** A photo of an entry is no longer on the device; no later attempt finds it. */
export class PhotoGone extends Error {}

/** The kept photos, as a sender needs them. */
export const keptPhotos: Photos = {
  read: async (id) => {
    const photo = await (await database()).get('photos', id)
    if (!photo) throw new PhotoGone()
    return photo
  },
  // In turn: the draft that a photo belongs to may still be on its way into the database.
  note: (id, uploadId) =>
    inTurn(async () => {
      const noted = (await database()).transaction('photos', 'readwrite')
      const photo = await noted.store.get(id)
      if (photo) {
        const { uploadId: _, ...rest } = photo
        await noted.store.put({ ...rest, ...(uploadId !== undefined && { uploadId }) })
      }
      await noted.done
    }),
}

const remove = (entry: OutboxEntry): Promise<void> =>
  inTurn(() =>
    change(async ({ outbox }) => {
      await outbox.delete(entry.seq)
      return photoIdsOf(entry)
    }),
  )

function notifyWanted(): void {
  for (const listener of wanting) listener()
}

async function changed(): Promise<void> {
  channel.tell({ kind: 'changed' })
  await reload()
}

async function reload(): Promise<void> {
  show(await readEntries())
}

function show(all: readonly OutboxEntry[]): void {
  entries = all
  for (const listener of listeners) listener()
}
