import type { IDBPObjectStore } from 'idb'
import { database, type ProductSchema, type StoredPhoto } from './db.ts'
import { photoIdsOf } from './entry.ts'
import type { Photo } from './photo.ts'

type Names = ['outbox', 'drafts', 'photos']
type Stores = { [Name in Names[number]]: IDBPObjectStore<ProductSchema, Names, Name, 'readwrite'> }

let last: Promise<unknown> = Promise.resolve()

/** One change after the other, so that what happened last stays. */
export function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const turn = last.then(task)
  last = turn.catch(() => undefined)
  return turn
}

/**
 * Changes drafts and outbox together, or not at all. `work` returns the photos that it let go of; those that nothing else
 * refers to are deleted. Rejects when the device has no room.
 */
export async function change(work: (stores: Stores) => Promise<readonly string[]>): Promise<void> {
  const transaction = (await database()).transaction(['outbox', 'drafts', 'photos'], 'readwrite')
  const stores: Stores = {
    outbox: transaction.objectStore('outbox'),
    drafts: transaction.objectStore('drafts'),
    photos: transaction.objectStore('photos'),
  }
  const all = async () => {
    const released = await work(stores)
    if (released.length === 0) return
    const inDrafts = (await stores.drafts.getAll()).flatMap(({ photoIds }) => photoIds)
    const used = new Set([...inDrafts, ...(await stores.outbox.getAll()).flatMap(photoIdsOf)])
    for (const id of released) if (!used.has(id)) await stores.photos.delete(id)
  }
  await Promise.all([all(), transaction.done])
}

/** Photos as they are kept; read before a transaction begins, which would not wait for it. */
export const files = (accountId: string, photos: readonly Photo[]): Promise<StoredPhoto[]> =>
  Promise.all(photos.map(async ({ id, blob }) => ({ id, accountId, bytes: await blob.arrayBuffer() })))

/** Adds photos that are not there yet; those that are may know where they were uploaded to. */
export async function addPhotos({ photos }: Stores, added: readonly StoredPhoto[]): Promise<void> {
  for (const photo of added) if (!(await photos.getKey(photo.id))) await photos.put(photo)
}

/** Photos that this device keeps. */
export async function readPhotos(ids: readonly string[]): Promise<Photo[]> {
  const db = await database()
  const kept = await Promise.all(ids.map((id) => db.get('photos', id)))
  return kept.flatMap((photo) =>
    photo ? [{ id: photo.id, blob: new Blob([photo.bytes], { type: 'image/jpeg' }) }] : [],
  )
}
