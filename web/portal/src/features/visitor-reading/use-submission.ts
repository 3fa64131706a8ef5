import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useProblemText } from '@shared/api/problem.ts'
import type { VisitorReading } from '@shared/contract/types.ts'
import { currentLanguage } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { dismissTopic, notify } from '@shared/ui/notify.ts'
import { awaitNetwork, isOnline, onConnectivity, probe } from '@/device/connectivity.ts'
import { CONNECTIVITY } from '@/offline/use-notices.ts'
import type { Outgoing } from './draft.ts'
import { requestReceipt, type Sender } from './send.ts'
import { isOver, type Session } from './session.ts'

interface Options {
  /** Absent once it is over. */
  readonly session: Session | undefined
  readonly sender: Sender
  /** The reading as it is now; undefined while it cannot be sent. */
  readonly outgoing: () => Outgoing | undefined
  readonly onSending: (isSending: boolean) => void
  readonly onSent: () => void
  readonly onExpired: () => void
}

interface Submission {
  /** Why the last attempt failed. */
  readonly failure: unknown
  /** The network is gone: what was entered goes by itself when it is back, as long as nothing is changed. */
  readonly isWaiting: boolean
  readonly send: () => Promise<void>
  /** Something was changed: it is no longer to go by itself. */
  readonly stopWaiting: () => void
}

const TOPIC = 'public-reading'

/** Sends a visitor's reading once, and asks for its receipt (P4). */
export function useSubmission({ session, sender, outgoing, onSending, onSent, onExpired }: Options): Submission {
  const { t } = useTranslation('publicReading')
  const askForReceipt = useReceipt()
  const isOnTheWay = useRef(false)
  const [failure, setFailure] = useState<unknown>()
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    // Each way back from the summary is one in the browser's history; who comes again sends by hand.
    const forget = () => {
      setFailure(undefined)
      setWaiting(false)
    }
    window.addEventListener('popstate', forget)
    return () => window.removeEventListener('popstate', forget)
  }, [])

  async function send() {
    const reading = outgoing()
    if (isOnTheWay.current || !session || !reading) return
    if (isOver(session)) {
      onExpired()
      return
    }
    isOnTheWay.current = true
    onSending(true)
    setFailure(undefined)
    setWaiting(false)
    dismissTopic(TOPIC)
    try {
      const { result, key } = await sender.send(session.token, { ...reading, language: currentLanguage() })
      notify({ type: 'success', title: t('notice.sentTitle'), message: t('notice.sent'), topic: TOPIC })
      onSent()
      if (result.email) void askForReceipt(session, result, key)
    } catch (error) {
      // What waits says so itself, beside the button (D-OUTBOX-10).
      if (error instanceof ApiError && error.status === undefined && !(await probe())) setWaiting(true)
      else {
        notify({ type: 'error', title: t('notice.failedTitle'), message: t('notice.failed'), topic: TOPIC })
        setFailure(error)
      }
      if (error instanceof ApiError && error.status === 401) onExpired()
    } finally {
      isOnTheWay.current = false
      onSending(false)
    }
  }

  const resume = useEffectEvent(() => {
    if (isOnline()) void send()
  })
  useEffect(() => {
    if (!isWaiting) return
    // It says itself that there is no network (D-OUTBOX-10).
    dismissTopic(CONNECTIVITY)
    const stopAwaiting = awaitNetwork()
    const stopListening = onConnectivity(() => resume())
    return () => {
      stopAwaiting()
      stopListening()
    }
  }, [isWaiting])

  return {
    failure,
    isWaiting,
    send,
    stopWaiting: () => setWaiting(false),
  }
}

/** Asks for a receipt: what was sent stays sent, even if that fails (P4). */
function useReceipt(): (session: Session, result: VisitorReading, key: string) => Promise<void> {
  const { t } = useTranslation('publicReading')
  const problemText = useProblemText()
  return async ({ token }, result, key) => {
    try {
      await requestReceipt(token, result, key)
      notify({ type: 'success', title: t('receipt.title'), message: t('receipt.sent', { email: result.email }) })
    } catch (error) {
      // There is no second try; why it failed is said where it is the address.
      const why = isAboutAddress(error) ? ` ${problemText(error)}` : ''
      notify({ type: 'error', title: t('receipt.failedTitle'), message: `${t('receipt.failed')}${why}` })
    }
  }
}

const isAboutAddress = (error: unknown) =>
  error instanceof ApiError && (error.code === 'recipient-suppressed' || error.code === 'mail-refused')
