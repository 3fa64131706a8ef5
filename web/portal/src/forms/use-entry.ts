import { useEffect, useRef, useState } from 'react'
import type { ApiError } from '@shared/api/client.ts'
import { keepsNothing } from '@/device/db.ts'
import { deleteDraft, writeDraft } from '@/device/drafts.ts'
import { type Action, photoIdsOf, refusalError } from '@/device/entry.ts'
import { deliver, leaveDelivery } from '@/offline/replay.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { attemptOf, contentOf, contentOfEntry, type DraftKind, type FormState } from './draft.ts'

/** What became of an entry: sent, waiting in the outbox, or a draft again. */
export type Outcome =
  | { readonly state: 'sent' }
  | { readonly state: 'kept' }
  | { readonly state: 'rejected'; readonly error: ApiError }

/** A draft that is being entered. */
export interface FormEntry<Draft, Entry extends Action> {
  readonly draft: Draft
  readonly setDraft: (change: (draft: Draft) => Draft) => void
  /** The device has no room: only this page has what was typed (D-OUTBOX-7). */
  readonly isUnkept: boolean
  readonly isSending: boolean
  /** Why this very draft was not taken; a changed one is judged anew. */
  readonly rejection: ApiError | undefined
  /** Hands the draft over to the outbox, as the entry that was made of it. */
  readonly send: (entry: Entry) => Promise<Outcome>
  /** Forgets the draft. */
  readonly discard: () => Promise<void>
}

/** A form's draft: kept on the device as it changes, at the place that `placeOf` names, and in the outbox's hands while it is sent. */
export function useEntry<Draft, Entry extends Action>(
  kind: DraftKind<Draft, Entry>,
  initial: () => FormState<Draft>,
  placeOf: (draft: Draft) => readonly [accountId: string, jobId: string],
): FormEntry<Draft, Entry> {
  const [state, setState] = useState(initial)
  const { draft } = state
  const [accountId, jobId] = placeOf(draft)
  const [isUnkept, setUnkept] = useState(false)
  const [isSending, setSending] = useState(false)
  const [rejection, setRejection] = useState<{ draft: Draft; error: ApiError }>()
  const kept = useRef<{ state: FormState<Draft> | undefined; accountId: string }>({ state, accountId })

  useEffect(() => {
    const last = kept.current
    if (isSending || state === last.state) return
    kept.current = { state, accountId }
    // Who taps into an empty form has nothing to do with what another tab has kept meanwhile (D-OUTBOX-14).
    if (last.state && kind.isEmpty(last.state.draft) && kind.isEmpty(state.draft)) return
    const moved = last.accountId === accountId ? undefined : deleteDraft(last.accountId, jobId)
    const write = () =>
      kind.isEmpty(state.draft)
        ? deleteDraft(accountId, jobId)
        : writeDraft({ accountId, jobId, content: contentOf(kind, state), photos: kind.photosOf(state.draft) })
    // Both begin in this turn: what is sent next takes the draft with it, and must find it.
    Promise.all([moved, write()]).then(
      () => setUnkept(keepsNothing()),
      () => setUnkept(true),
    )
  }, [kind, state, accountId, jobId, isSending])

  useUnsentForm(!kind.isEmpty(draft))
  useEffect(() => () => leaveDelivery([accountId, jobId]), [accountId, jobId])

  async function send(action: Entry): Promise<Outcome> {
    setSending(true)
    setRejection(undefined)
    // What comes back to the form was answered: the next attempt builds its text anew.
    const { body, ...attempt } = attemptOf(action, state.attempt)
    const ids = photoIdsOf(action)
    const photos = kind.photosOf(draft).filter(({ id }) => ids.includes(id))
    const entry: Entry & { key: string } = { ...action, key: attempt.key }
    const delivery = await deliver({ ...entry, ...(body && { body }) }, photos, () => contentOfEntry(kind, entry))
    if (delivery.state === 'sent' || delivery.state === 'kept') return delivery
    const error = delivery.state === 'refused' ? refusalError(delivery.refusal) : delivery.error
    // The outbox had it; now it is the form's again.
    kept.current = { state: undefined, accountId }
    setState((state) => ({ ...state, attempt }))
    setRejection({ draft, error })
    setSending(false)
    return { state: 'rejected', error }
  }

  const setDraft = (change: (draft: Draft) => Draft) =>
    setState((state) => {
      const draft = change(state.draft)
      return draft === state.draft ? state : { ...state, draft }
    })
  return {
    draft,
    setDraft,
    isUnkept,
    isSending,
    rejection: rejection?.draft === draft ? rejection.error : undefined,
    send,
    discard: () => deleteDraft(accountId, jobId),
  }
}
