/**
 * What was typed and not sent, by account and job. It is on the device, so that neither a look at another screen nor a reload
 * loses it, and in memory, so that a form begins with it at once.
 */
import { useSyncExternalStore } from 'react'
import { addPhotos, change, files, inTurn, readPhotos } from './change.ts'
import { database, type StoredDraft } from './db.ts'
import type { Photo } from './photo.ts'
import { channelOf } from './tabs.ts'

/** What was typed for a job, with its photos. */
export type KeptDraft = Pick<StoredDraft, 'accountId' | 'jobId' | 'content'> & { photos: readonly Photo[] }

const drafts = new Map<string, KeptDraft>()
const listeners = new Set<() => void>()

/** Drafts that the device does not have, for want of room: what it has in their place is older, or nothing. */
const unkept = new WeakSet<KeptDraft>()

const placeOf = (accountId: string, jobId: string) => `${accountId}/${jobId}`

/** Where what the device has is another draft now, or none. */
const channel = channelOf<readonly [accountId: string, jobId: string]>('zaehlwerk-drafts')

let started: Promise<void> | undefined

/** Finds what was typed before the page was loaded, which a form needs before it is shown, and follows what other tabs do. Never rejects. */
export function startDrafts(): Promise<void> {
  started ??= start()
  return started
}

async function start(): Promise<void> {
  channel.listen((place) => void started?.then(() => follow(...place)).catch(() => undefined))
  // A page that comes back from a browser's memory has heard of nothing.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void started?.then(catchUp).catch(() => undefined)
  })
  const all = await readDrafts().catch(() => [])
  for (const draft of all) remember(draft)
}

/** Has the draft of one place as another tab left it (D-OUTBOX-14). */
async function follow(accountId: string, jobId: string): Promise<void> {
  const known = currentDraft(accountId, jobId)
  const draft = await inTurn(() => readDraft(accountId, jobId))
  take(placeOf(accountId, jobId), known, draft)
}

/** Has all drafts as other tabs left them while the page was away. */
async function catchUp(): Promise<void> {
  const known = new Map(drafts)
  const kept = new Map((await inTurn(readDrafts)).map((draft) => [placeOf(draft.accountId, draft.jobId), draft]))
  for (const place of new Set([...known.keys(), ...kept.keys()])) take(place, known.get(place), kept.get(place))
}

/** Has in one place what the device had there, unless what was typed here is newer: meanwhile, or without room on the device. */
function take(place: string, known: KeptDraft | undefined, draft: KeptDraft | undefined): void {
  if (drafts.get(place) !== known || (known && unkept.has(known))) return
  if (draft) drafts.set(place, draft)
  else drafts.delete(place)
  notify()
}

/** The draft of one place, as this page knows it. */
export const currentDraft = (accountId: string, jobId: string): KeptDraft | undefined =>
  drafts.get(placeOf(accountId, jobId))

/** All drafts, as this page knows them; also what the device has no room for. */
export const currentDrafts = (): readonly KeptDraft[] => [...drafts.values()]

/** How many drafts there are, whosever they are. */
export const useDraftCount = (): number => useSyncExternalStore(onDrafts, () => drafts.size)

/** Calls back when a draft comes, goes or changes; the returned function stops that. */
export function onDrafts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

function remember(draft: KeptDraft): void {
  drafts.set(placeOf(draft.accountId, draft.jobId), draft)
  notify()
}

function forget(accountId: string, jobId: string): void {
  drafts.delete(placeOf(accountId, jobId))
  notify()
}

/** Notes in all tabs a draft that the device has already. */
export function rememberDraft(draft: KeptDraft): void {
  remember(draft)
  channel.tell([draft.accountId, draft.jobId])
}

/** Notes in all tabs that a draft is gone: it became an entry of the outbox. */
export function forgetDraft(accountId: string, jobId: string): void {
  forget(accountId, jobId)
  channel.tell([accountId, jobId])
}

/** All drafts of this device. */
export async function readDrafts(): Promise<KeptDraft[]> {
  const drafts = await (await database()).getAll('drafts')
  return withPhotos(drafts)
}

const withPhotos = (drafts: readonly StoredDraft[]): Promise<KeptDraft[]> =>
  Promise.all(
    drafts.map(async ({ accountId, jobId, content, photoIds }) => ({
      accountId,
      jobId,
      content,
      photos: await readPhotos(photoIds),
    })),
  )

/** The draft of one place on the device, whichever tab wrote it; undefined when there is none. */
export async function readDraft(accountId: string, jobId: string): Promise<KeptDraft | undefined> {
  const draft = await (await database()).get('drafts', [accountId, jobId])
  return draft && (await withPhotos([draft]))[0]
}

/** Keeps a draft with its photos until it is sent, given up, or the person logs out. Rejects when only this page has it. */
export async function writeDraft(draft: KeptDraft): Promise<void> {
  remember(draft)
  unkept.add(draft)
  const { accountId, jobId, content, photos } = draft
  await inTurn(async () => {
    const added = await files(accountId, photos)
    await change(async (stores) => {
      const before = await stores.drafts.get([accountId, jobId])
      await addPhotos(stores, added)
      await stores.drafts.put({ accountId, jobId, content, photoIds: added.map(({ id }) => id) })
      return before?.photoIds ?? []
    })
    unkept.delete(draft)
    channel.tell([accountId, jobId])
  })
}

/** Forgets the draft of a job. */
export function deleteDraft(accountId: string, jobId: string): Promise<void> {
  forget(accountId, jobId)
  return deleteIn(IDBKeyRange.only([accountId, jobId]))
}

/** Forgets all drafts of an account, for the next person at this device. */
export function deleteDrafts(accountId: string): Promise<void> {
  for (const draft of drafts.values()) if (draft.accountId === accountId) forget(accountId, draft.jobId)
  return deleteIn(IDBKeyRange.bound([accountId], [accountId, []]))
}

const deleteIn = (range: IDBKeyRange): Promise<void> =>
  inTurn(async () => {
    let gone: StoredDraft[] = []
    await change(async ({ drafts }) => {
      gone = await drafts.getAll(range)
      for (const { accountId, jobId } of gone) await drafts.delete([accountId, jobId])
      return gone.flatMap(({ photoIds }) => photoIds)
    })
    for (const { accountId, jobId } of gone) channel.tell([accountId, jobId])
  })
