/** What a reader has entered for a meter without a job and not sent; it is on the device, so that no reload loses it. */
import type { Attempt } from '@shared/api/attempts.ts'
import { deleteDraft, readDraft, writeDraft } from '@/device/drafts.ts'
import { NO_JOB, type QueuedUnknownReading, type SendUnknownReading } from '@/device/entry.ts'
import type { Photo } from '@/device/photo.ts'

export interface Draft {
  /** Empty while nobody chose, which only somebody with several accounts has to. */
  readonly accountId: string
  readonly meterNumber: string
  readonly value: string
  /** As the field has it; today as long as nobody chose. */
  readonly date: string | undefined
  readonly comment: string
  readonly photos: readonly Photo[]
}

/** A draft, and the last attempt to send it. */
export interface Begun {
  readonly draft: Draft
  readonly attempt?: Attempt | undefined
}

const EMPTY: Draft = { accountId: '', meterNumber: '', value: '', date: undefined, comment: '', photos: [] }

/** Nothing entered yet. */
export const NOTHING: Begun = { draft: EMPTY }

/** What is kept beside the photos. */
type KeptContent = Omit<Begun, 'draft'> & { draft: Omit<Draft, 'photos'> }

/** What one of the accounts began; nothing when none did. Never rejects. */
export async function readBegun(accountIds: readonly string[]): Promise<Begun> {
  for (const accountId of accountIds) {
    const kept = await readDraft(accountId, NO_JOB).catch(() => undefined)
    if (!kept) continue
    const { draft, attempt } = kept.content as KeptContent
    return { draft: { ...draft, photos: kept.photos }, attempt }
  }
  return NOTHING
}

/** Keeps a draft as one account's, or forgets an empty one. Rejects when only this page has it. */
export const keepBegun = (accountId: string, { draft, attempt }: Begun): Promise<void> =>
  draft === EMPTY
    ? forgetBegun(accountId)
    : writeDraft({ accountId, jobId: NO_JOB, content: toKept({ draft, attempt }), photos: draft.photos })

/** Forgets what an account began. */
export const forgetBegun = (accountId: string): Promise<void> => deleteDraft(accountId, NO_JOB)

function toKept({ draft, attempt }: Begun): KeptContent {
  const { photos: _, ...rest } = draft
  return { draft: rest, attempt }
}

/** What makes two attempts the same. */
export const contentOf = (accountId: string, reading: QueuedUnknownReading): string =>
  JSON.stringify([accountId, reading])

/** What a queued reading becomes when it is to be changed. */
export const begunOf = (
  { accountId, key, reading }: SendUnknownReading & { key: string },
  photos: readonly Photo[],
): Begun => ({
  draft: {
    accountId,
    meterNumber: reading.meterNumber,
    value: reading.readingValue.replace('.', ','),
    date: reading.readingDate,
    comment: reading.comment ?? '',
    photos,
  },
  attempt: { content: contentOf(accountId, reading), key },
})

/** The same as `takeBack` keeps it. */
export const keptBegunOf = (entry: SendUnknownReading & { key: string }): unknown => toKept(begunOf(entry, []))
