import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { dismissTopic, notify } from '@shared/ui/notify.ts'
import { useOnline } from '@/device/connectivity.ts'
import { useLaterText } from './later-text.ts'
import { useIsDelivering, useKeptHere } from './replay.ts'

/** One thing is said about network and queue at a time: what is later takes the place of what was earlier. */
export const CONNECTIVITY = 'connectivity'

/** What became of the reading that was sent last: what an earlier one came to beside it would contradict it. */
export const SENDING = 'sending'

/** The dialog opens once when something that was entered here begins to wait for a network, and again only after everything was sent. */
export function useOfflineDialog(isWaiting: boolean): { isOpen: boolean; close: () => void } {
  const isOnline = useOnline()
  const { count: kept } = useKeptHere()
  const [settled, setSettled] = useState(0)
  const [wasClosed, setClosed] = useState(false)
  if (!isWaiting && (wasClosed || settled !== kept)) {
    setSettled(kept)
    setClosed(false)
  }
  return { isOpen: isWaiting && !isOnline && kept > settled && !wasClosed, close: () => setClosed(true) }
}

/**
 * Says when the network goes and when it is back, and what becomes of a reading that could not be sent. A reading has one message: the
 * dialog, or else the notice (D-OUTBOX-10).
 */
export function useNotices(waiting: number, isDialogOpen: boolean): void {
  const { t } = useTranslation('offline')
  const isOnline = useOnline()
  const isDelivering = useIsDelivering()
  const { count: kept, last } = useKeptHere()
  const later = useLaterText(last ? [last] : [])
  // That of a photo stands above the page already.
  const why = last?.isPhotoStuck ? t('kept.photo') : later
  const before = useRef({ isOnline: true, kept: 0 })
  useEffect(() => {
    const hasKept = before.current.kept !== kept
    const hasChanged = before.current.isOnline !== isOnline
    before.current = { isOnline, kept }
    if (hasKept) dismissTopic(SENDING)
    if (isDialogOpen && !isOnline) {
      dismissTopic(CONNECTIVITY)
    } else if (hasKept) {
      notify({
        type: 'error',
        title: t('kept.title'),
        message: (isOnline && why) || t('kept.text', { count: waiting }),
        topic: CONNECTIVITY,
      })
    } else if (hasChanged && isOnline) {
      const message = waiting > 0 ? t('online.synchronizing', { count: waiting }) : t('online.all')
      notify({ type: 'info', title: t('online.title'), message, topic: CONNECTIVITY })
    } else if (hasChanged && !isDelivering) {
      notify({ type: 'warning', title: t('offline.title'), message: t('offline.text'), topic: CONNECTIVITY })
    }
  }, [isOnline, isDelivering, kept, why, waiting, isDialogOpen, t])
}
