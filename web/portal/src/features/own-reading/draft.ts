/** What a reader has entered for a meter without a job and not sent. */
import { trimmedComment } from '@shared/rules/reading.ts'
import { ownReadingDates } from '@shared/rules/visitor-reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { EMPTY, type Entry, entryOf, valueOf } from '@/components/counter/entry.ts'
import { deleteDraft, readDraft } from '@/device/drafts.ts'
import { NO_JOB, type SendOwnReading } from '@/device/entry.ts'
import type { Photo } from '@/device/photo.ts'
import { type DraftKind, type FormState, stateOf } from '@/forms/draft.ts'

export interface Draft {
  /** Empty until the reader chose, which only one with several accounts has to. */
  readonly accountId: string
  readonly meterNumber: string
  readonly entry: Entry
  /** As the field has it, once the reader chose. */
  readonly date: string | undefined
  /** The day on which the value was typed last. */
  readonly typed?: IsoDate | undefined
  readonly comment: string
  readonly photos: readonly Photo[]
}

/** How the drafts of readings without a job are kept. */
export const OWN_READING: DraftKind<Draft, SendOwnReading> = {
  empty: { accountId: '', meterNumber: '', entry: EMPTY, date: undefined, comment: '', photos: [] },
  isEmpty: ({ meterNumber, entry, date, comment, photos }) =>
    meterNumber === '' && valueOf(entry) === undefined && date === undefined && comment === '' && photos.length === 0,
  photosOf: ({ photos }) => photos,
  withPhotos: (draft, change) => ({ ...draft, photos: change(draft.photos) }),
  draftOf: ({ accountId, reading }, photos) => ({
    accountId,
    meterNumber: reading.meterNumber,
    entry: entryOf(reading.readingValue),
    date: reading.readingDate,
    comment: reading.comment ?? '',
    photos,
  }),
}

/** What one of the accounts has kept on the device; nothing when none has. Never rejects. */
export async function readState(accountIds: readonly string[]): Promise<FormState<Draft>> {
  for (const accountId of accountIds) {
    const kept = await readDraft(accountId, NO_JOB).catch(() => undefined)
    if (!kept) continue
    const state = stateOf(OWN_READING, kept)
    if (!OWN_READING.isEmpty(state.draft)) return state
    // An older version kept it; a reading that waits could not be taken back beside it.
    await deleteDraft(accountId, NO_JOB).catch(() => undefined)
  }
  return { draft: OWN_READING.empty }
}

/** A draft with another entry: a value that is another one was typed today. */
export function withEntry(draft: Draft, entry: Entry, today: IsoDate): Draft {
  if (entry === draft.entry) return draft
  const isSame = valueOf(entry) === valueOf(draft.entry)
  return { ...draft, entry, ...(!isSame && { typed: today }) }
}

/** The day of the reading, as the field has it: the chosen one, else the one on which it was typed, as long as a reading may have it (D-READING-8). */
export function dayOf({ date, typed }: Draft, today: IsoDate): string {
  const [first, last] = ownReadingDates(today)
  const isOpen = typed !== undefined && typed >= first && typed <= last
  return date ?? (isOpen ? typed : today)
}

/** The reading that a draft makes; its value and day may still be none, as empty texts. */
export function readingOf(draft: Draft, today: IsoDate) {
  const { meterNumber, entry, comment, photos } = draft
  const text = trimmedComment(comment)
  return {
    meterNumber,
    readingValue: valueOf(entry) ?? '',
    readingDate: dayOf(draft, today),
    ...(text !== undefined && { comment: text }),
    photoIds: photos.map(({ id }) => id),
  }
}
