/**
 * What was typed and not sent, by account and job. It is on the device, so that neither a look at another screen nor a reload
 * loses it, and in memory, so that a form begins with it at once.
 */
import { addPhotos, change, files, inTurn, readPhotos } from './change.ts'
import { database, type StoredDraft } from './db.ts'
import type { Photo } from './photo.ts'

/** What was typed for a job, with its photos. */
export type KeptDraft = Pick<StoredDraft, 'accountId' | 'jobId' | 'content'> & { photos: readonly Photo[] }

const drafts = new Map<string, KeptDraft>()

const placeOf = (accountId: string, jobId: string) => `${accountId}/${jobId}`

let started: Promise<void> | undefined

/** Finds what was typed before the page was loaded; a form needs it before it is shown. Never rejects. */
export function startDrafts(): Promise<void> {
  started ??= readDrafts()
    .then((all) => all.forEach(rememberDraft))
    .catch(() => undefined)
  return started
}

/** The draft of one place, as this page knows it. */
export const currentDraft = (accountId: string, jobId: string): KeptDraft | undefined =>
  drafts.get(placeOf(accountId, jobId))

/** Notes a draft that the device has already. */
export const rememberDraft = (draft: KeptDraft): void => void drafts.set(placeOf(draft.accountId, draft.jobId), draft)

/** Notes that a draft is gone: it was deleted, or became an entry of the outbox. */
export const forgetDraft = (accountId: string, jobId: string): void => void drafts.delete(placeOf(accountId, jobId))

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
export function writeDraft(draft: KeptDraft): Promise<void> {
  rememberDraft(draft)
  const { accountId, jobId, content, photos } = draft
  return inTurn(async () => {
    const added = await files(accountId, photos)
    await change(async (stores) => {
      const before = await stores.drafts.get([accountId, jobId])
      await addPhotos(stores, added)
      await stores.drafts.put({ accountId, jobId, content, photoIds: added.map(({ id }) => id) })
      return before?.photoIds ?? []
    })
  })
}

/** Forgets the draft of a job. */
export function deleteDraft(accountId: string, jobId: string): Promise<void> {
  forgetDraft(accountId, jobId)
  return deleteIn(IDBKeyRange.only([accountId, jobId]))
}

/** Forgets all drafts of an account, for the next person at this device. */
export function deleteDrafts(accountId: string): Promise<void> {
  for (const draft of drafts.values()) if (draft.accountId === accountId) forgetDraft(accountId, draft.jobId)
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
