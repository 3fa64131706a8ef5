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

/** Forgets the draft of a job. */
export const deleteDraft = (accountId: string, jobId: string): Promise<void> =>
  deleteIn(IDBKeyRange.only([accountId, jobId]))

const onDeleted = new Set<(accountId: string) => void>()

/** Calls back when the drafts of an account are forgotten. */
export const onDraftsDeleted = (listener: (accountId: string) => void): void => void onDeleted.add(listener)

/** Forgets all drafts of an account, for the next person at this device. */
export function deleteDrafts(accountId: string): Promise<void> {
  for (const listener of onDeleted) listener(accountId)
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
