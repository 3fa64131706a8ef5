/** What the forms for readings have in common: how a draft is kept on the device, and made again of what waits in the outbox. */
import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import type { KeptDraft } from '@/device/drafts.ts'
import { type Action, type NewEntry, photoIdsOf } from '@/device/entry.ts'
import type { Photo } from '@/device/photo.ts'

/** An attempt to send an entry, and the text that it went with, as long as that has no answer. */
type EntryAttempt = Attempt & Pick<NewEntry, 'body'>

/** What a form holds. */
export interface FormState<Draft> {
  readonly draft: Draft
  /** The last attempt to send it. */
  readonly attempt?: EntryAttempt | undefined
}

/** What one form has to say about its drafts. */
export interface DraftKind<Draft, Entry extends Action = never> {
  /** Nothing entered yet. */
  readonly empty: Draft
  /** Whether nothing is entered any more, or was all along: a look into the form, or a tap into a field, is nothing to keep. */
  readonly isEmpty: (draft: Draft) => boolean
  readonly photosOf: (draft: Draft) => readonly Photo[]
  /** The draft with each of its lists of photos changed. */
  readonly withPhotos: (draft: Draft, change: (photos: readonly Photo[]) => readonly Photo[]) => Draft
  /** The draft that an entry was made of, with its photos. */
  readonly draftOf: (entry: Entry, photos: readonly Photo[]) => Draft
}

/** A photo as it stands in a kept draft: the file is beside it. */
const reference = (id: string) => ({ id }) as Photo

/** A form's state as the device keeps it. */
export const contentOf = <Draft>(
  { withPhotos }: DraftKind<Draft>,
  { draft, attempt }: FormState<Draft>,
): FormState<Draft> => ({
  draft: withPhotos(draft, (photos) => photos.map(({ id }) => reference(id))),
  attempt,
})

/** The state that a form begins with: what was kept, if anything was. */
export function stateOf<Draft>({ empty, withPhotos }: DraftKind<Draft>, kept: KeptDraft | undefined): FormState<Draft> {
  if (!kept) return { draft: empty }
  const { draft, attempt } = kept.content as FormState<Draft>
  // What an older version has kept may lack a part.
  const withFiles = withPhotos({ ...empty, ...draft }, (photos) =>
    kept.photos.filter(({ id }) => photos.some((photo) => photo.id === id)),
  )
  return { draft: withFiles, attempt }
}

/** What a form keeps when an entry of the outbox is a draft again. */
export const contentOfEntry = <Draft, Entry extends Action>(
  { draftOf }: DraftKind<Draft, Entry>,
  entry: Entry & Pick<NewEntry, 'key' | 'body'>,
): FormState<Draft> => ({
  draft: draftOf(entry, photoIdsOf(entry).map(reference)),
  attempt: { content: attemptedContent(entry), key: entry.key, ...(entry.body && { body: entry.body }) },
})

/** The next attempt to send an entry: the same as the last one while nothing was changed. */
export const attemptOf = (entry: Action, last: EntryAttempt | undefined): EntryAttempt =>
  nextAttempt(last, attemptedContent(entry))

const attemptedContent = ({ accountId, meterNumber, reading }: Action): string =>
  JSON.stringify([accountId, meterNumber, reading])
