import { useRef, useState } from 'react'
import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import { ApiError } from '@shared/api/client.ts'
import type { ShareLogin } from '@shared/contract/types.ts'
import { sendShareMail } from '@/data/communication.ts'

/** A recipient who got no mail. */
export interface Failure {
  readonly address: string
  readonly error: unknown
}

interface Options {
  /** The account that shares. */
  readonly accountId: string
  readonly shareId: string
  readonly login: ShareLogin
  /** A recipient has the login data now. */
  readonly onSent: () => void
  readonly onSending: (isSending: boolean) => void
}

interface ShareMails {
  readonly sent: readonly string[]
  /** Those of the last time. */
  readonly failures: readonly Failure[]
  /** How many of how many recipients have had their turn; absent while nothing is being sent. */
  readonly progress: { readonly done: number; readonly count: number } | undefined
  /** Sends to each of the recipients, and returns those who got nothing. */
  readonly send: (recipients: readonly string[], salutation: string) => Promise<readonly Failure[]>
}

/** Sends login data by e-mail: one call a recipient, and each of them gets one (L5, L7). */
export function useShareMail({ accountId, shareId, login, onSent, onSending }: Options): ShareMails {
  const [sent, setSent] = useState<readonly string[]>([])
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const [progress, setProgress] = useState<ShareMails['progress']>()
  const attempts = useRef(new Map<string, Attempt>())

  async function deliver(address: string, salutation: string) {
    const { token, username, password } = login
    const body = {
      ...(salutation && { salutation }),
      login: { token, username, password },
      accountId: shareId,
      metaData: { mailTo: { email: address } },
    }
    // A mail whose answer was lost is the same mail when it is asked for again.
    const attempt = nextAttempt(attempts.current.get(address), JSON.stringify(body))
    attempts.current.set(address, attempt)
    await sendShareMail(accountId, body, attempt.key)
  }

  async function send(recipients: readonly string[], salutation: string) {
    const failed: Failure[] = []
    setFailures([])
    onSending(true)
    let exhausted: unknown
    for (const [done, address] of recipients.entries()) {
      setProgress({ done, count: recipients.length })
      try {
        if (exhausted !== undefined) throw exhausted
        await deliver(address, salutation.trim())
        setSent((before) => [...before, address])
        onSent()
      } catch (error) {
        failed.push({ address, error })
        // An account that may write to no more recipients now need not ask for each of the others.
        if (error instanceof ApiError && error.code === 'too-many-recipients') exhausted = error
      }
    }
    setProgress(undefined)
    onSending(false)
    setFailures(failed)
    return failed
  }

  return { sent, failures, progress, send }
}
