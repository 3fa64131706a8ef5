import { useMemo, useSyncExternalStore } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useProblemText } from '@shared/api/problem.ts'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { notify } from '@shared/ui/notify.ts'
import { type RequestedReceipts, refreshRegistrationInfo, requestReceipts } from '@/data/communication.ts'
import { useJobs } from '@/data/jobs.ts'
import { isOnline } from '@/device/connectivity.ts'

type Request = { accountId: string; readings: string; isPending: boolean } & Partial<RequestedReceipts>

/** The last request and the readings that there were; it blocks another one until there are others (L4, L8). */
let last: Request | undefined
const listeners = new Set<() => void>()

function set(next: Request | undefined): void {
  last = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export interface Receipts {
  /** Jobs that are done. */
  done: number
  state: 'ready' | 'pending' | 'blocked'
  /** Why the last request failed, in the reader's language; it is blocked all the same. */
  failure?: string
  /** Why there can be no other one now. */
  blocked: string
  /** Asks for the receipts, and says so when they are on their way; returns whether they are. */
  request: () => Promise<boolean>
}

/** Whether receipts are being asked for. */
export const useIsAsking = (): boolean => useSyncExternalStore(subscribe, () => last?.isPending ?? false)

/** Receipts of what an account has read. */
export function useReceipts(accountId: string): Receipts {
  const { t } = useTranslation('communication')
  const problemText = useProblemText()
  const { jobs } = useJobs()
  const readings = useMemo(() => readingsOf(jobs ?? []), [jobs])
  const done = useMemo(() => (jobs ?? []).filter((job) => job.done).length, [jobs])
  const request = useSyncExternalStore(subscribe, () => last)
  const isSame = request?.accountId === accountId && request.readings === readings
  const state = request?.isPending ? 'pending' : isSame ? 'blocked' : 'ready'

  async function send(): Promise<boolean> {
    if (state !== 'ready') return false
    set({ accountId, readings, isPending: true })
    const { count, failure } = await requestReceipts(accountId)
    const answered: Request = { accountId, readings, isPending: false, count, failure }
    // The registration was revoked elsewhere: nothing was taken, and whoever registers anew may ask at once.
    const isMissing = failure instanceof ApiError && failure.code === 'registration-missing'
    if (isMissing) await refreshRegistrationInfo(accountId)
    set(isMissing ? undefined : answered)
    if (failure === undefined) {
      notify({ type: 'info', title: t('receipts.title'), message: t('receipts.sent', { count }), topic: 'receipts' })
      return true
    }
    // The dialog does not say it: it asks for a registration now, or is gone with the network.
    if (isMissing || !isOnline()) {
      const message = failureText(answered)
      notify({ type: 'error', title: t('receipts.failedTitle'), message, topic: 'receipts' })
    }
    return false
  }

  function failureText({ count, failure }: Request): string {
    const text = count ? t('receipts.partly', { count }) : t('receipts.failed', { count: done })
    return `${text} ${problemText(failure)}`
  }
  // That every meter has its receipt is no failure of any.
  const isReceipted = isSame && request.failure instanceof ApiError && request.failure.code === 'receipt-blocked'
  return {
    done,
    state,
    ...(isSame && request.failure !== undefined && !isReceipted && { failure: failureText(request) }),
    blocked: isReceipted ? problemText(request.failure) : t('receipts.blocked'),
    request: send,
  }
}

/** Tells two states of an account's readings apart: results are added and never changed. */
export function readingsOf(jobs: readonly Job[]): string {
  let count = 0
  let latest = ''
  for (const { meter } of jobs) {
    for (const { readingResults } of meter.meterRateTasks) {
      count += readingResults.length
      for (const { created } of readingResults) if (created > latest) latest = created
    }
  }
  return `${count}@${latest}`
}
