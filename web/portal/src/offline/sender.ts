import { ApiError, api, unwrap } from '@shared/api/client.ts'
import type { Job, OwnReading, ResultSubmission } from '@shared/contract/types.ts'
import { call } from '@/auth/call.ts'
import { noteClosed, reloadJobs } from '@/data/jobs.ts'
import { type Action, type NewEntry, photoIdsOf } from '@/device/entry.ts'
import { uploadPhoto } from './upload.ts'

/** The problem's code: the job has another meter than the one that was read (D-OUTBOX-13). */
export const METER_EXCHANGED = 'meter-exchanged'
/** The problem's code: the utility takes no more readings of the job. */
export const JOB_CLOSED = 'job-closed'

/** The job was closed, or is not the account's any more: there is soon no form for it. */
export const isOver = ({ code }: { readonly code: string }): boolean => code === JOB_CLOSED || code === 'not-found'

/** A connection that died in silence must not hold up the others for ever. */
const PATIENTLY = { patienceMs: 60_000 }

/** By photo, the id under which the store has it, where the device has no room for that: under one key the same request goes out each time. */
const brought = new Map<string, string>()

/** Where the photos of an entry are, and what is known about them. */
export interface Photos {
  read: (id: string) => Promise<{ bytes: ArrayBuffer; uploadId?: string }>
  /** Notes under which id the photo store has a photo; undefined when it has it no longer. */
  note: (id: string, uploadId: string | undefined) => Promise<void>
  /** Ends their way to the store. */
  way?: AbortController
}

/** Notes the text that is about to go under an entry's key. */
type NoteBody = (body: string) => Promise<void>

/**
 * Brings the photos to the store, one by one, as far as they are not there, then the reading to the API; returns the job,
 * if it has one, as it is afterwards. An entry that was attempted goes once more as it did. Throws [`ApiError`].
 */
export async function sendEntry(entry: NewEntry, photos: Photos, noteBody: NoteBody): Promise<Job | undefined> {
  try {
    return await post(entry, entry.body ?? (await freshBody(entry, photos, noteBody)))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'upload-missing') {
      if (error instanceof ApiError && (error.code === METER_EXCHANGED || isOver(error))) {
        // Before the refusal is known: the reader is not to change what cannot be sent.
        if (error.code === JOB_CLOSED && entry.kind === 'send-task-results')
          await noteClosed(entry.accountId, entry.jobId)
        // The job as it is now is shown to the reader who enters its reading.
        void reloadJobs().catch(() => undefined)
      }
      throw error
    }
    for (const id of photoIdsOf(entry)) {
      brought.delete(id)
      await photos.note(id, undefined).catch(() => undefined)
    }
    return post(entry, await freshBody(entry, photos, noteBody))
  }
}

async function freshBody(entry: NewEntry, photos: Photos, noteBody: NoteBody): Promise<string> {
  const body = JSON.stringify(await bodyOf(entry, photos))
  await noteBody(body)
  return body
}

async function bodyOf(
  { accountId, kind, meterNumber, reading }: Action,
  photos: Photos,
): Promise<ResultSubmission | OwnReading> {
  if (kind === 'unknown-reading') {
    const { photoIds, ...values } = reading
    return { ...values, readingImages: await images(accountId, photoIds, photos) }
  }
  const results: ResultSubmission['results'] = []
  for (const { photoIds, ...result } of reading.results) {
    const readingImages = await images(accountId, photoIds, photos)
    results.push({ ...result, ...(readingImages.length > 0 && { readingImages }) })
  }
  return { ...reading, results, meterNumber }
}

async function post(entry: NewEntry, text: string): Promise<Job | undefined> {
  const header = { 'Idempotency-Key': entry.key }
  // The call makes the same text of it again.
  const body = JSON.parse(text)
  if (entry.kind === 'unknown-reading') {
    await call(
      entry.accountId,
      (caller) => unwrap(api.POST('/api/pro/unknown-reading', { ...caller, params: { header }, body })),
      PATIENTLY,
    )
    return undefined
  }
  const path = { id: entry.jobId }
  return call(
    entry.accountId,
    (caller) =>
      unwrap(api.POST('/api/pro/job/{id}/meterRateTask/result', { ...caller, params: { path, header }, body })),
    PATIENTLY,
  )
}

async function images(accountId: string, photoIds: readonly string[], photos: Photos): Promise<{ uploadId: string }[]> {
  const sent: { uploadId: string }[] = []
  for (const id of photoIds) sent.push({ uploadId: await uploaded(accountId, id, photos) })
  return sent
}

async function uploaded(accountId: string, photoId: string, photos: Photos): Promise<string> {
  const { bytes, uploadId = brought.get(photoId) } = await photos.read(photoId)
  if (uploadId !== undefined) return uploadId
  const fresh = await uploadPhoto(accountId, bytes, photos.way)
  await photos.note(photoId, fresh).catch(() => void brought.set(photoId, fresh))
  return fresh
}
