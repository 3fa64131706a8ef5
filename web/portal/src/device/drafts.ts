import { addPhotos, change, files, inTurn, readPhotos } from './change.ts'
import { database, type StoredDraft } from './db.ts'
import type { Photo } from './photo.ts'

/** What was typed for a job, as it comes back after a reload. */
export type KeptDraft = Pick<StoredDraft, 'accountId' | 'jobId' | 'content'> & { photos: readonly Photo[] }

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

/** The draft of one place; undefined when there is none. */
export async function readDraft(accountId: string, jobId: string): Promise<KeptDraft | undefined> {
  const draft = await (await database()).get('drafts', [accountId, jobId])
  return draft && (await withPhotos([draft]))[0]
}

/** Keeps a draft with its photos over the end of the page. Rejects when the device has no room for it. */
export const writeDraft = ({ accountId, jobId, content, photos }: KeptDraft): Promise<void> =>
  inTurn(async () => {
    const added = await files(accountId, photos)
    await change(async (stores) => {
      const before = await stores.drafts.get([accountId, jobId])
      await addPhotos(stores, added)
      await stores.drafts.put({ accountId, jobId, content, photoIds: added.map(({ id }) => id) })
      return before?.photoIds ?? []
    })
  })

/** Hears of a job whose draft is gone, or, without one, of an account all of whose drafts are. */
type Listener = (accountId: string, jobId?: string) => void

const onDeleted = new Set<Listener>()

/** Calls back when drafts are forgotten, or become entries of the outbox. */
export const onDraftsDeleted = (listener: Listener): void => void onDeleted.add(listener)

/** Tells those who hold drafts in memory that they are gone. */
export function sayDeleted(accountId: string, jobId?: string): void {
  for (const listener of onDeleted) listener(accountId, jobId)
}

/** Forgets the draft of a job. */
export function deleteDraft(accountId: string, jobId: string): Promise<void> {
  sayDeleted(accountId, jobId)
  return deleteIn(IDBKeyRange.only([accountId, jobId]))
}

/** Forgets all drafts of an account, for the next person at this device. */
export function deleteDrafts(accountId: string): Promise<void> {
  sayDeleted(accountId)
  return deleteIn(IDBKeyRange.bound([accountId], [accountId, []]))
}

const deleteIn = (range: IDBKeyRange): Promise<void> =>
  inTurn(() =>
    change(async ({ drafts }) => {
      const gone = await drafts.getAll(range)
      for (const { accountId, jobId } of gone) await drafts.delete([accountId, jobId])
      return gone.flatMap(({ photoIds }) => photoIds)
    }),
  )
