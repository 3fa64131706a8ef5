import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { notify } from '@shared/ui/notify.ts'

interface Props {
  /** What the children show, and has to be fetched where that was not done ahead. */
  part: { load: () => Promise<unknown> }
  /** What is to be seen until it is there. */
  meanwhile?: ReactNode
  /** Takes back what was asked for. */
  onMissing: () => void
  children: ReactNode
}

/** What the reader asked for; where the network does not bring it, a notice says so, and the rest of the screen stays. */
export function AskedFor({ part, meanwhile, onMissing, children }: Props) {
  const { t } = useTranslation('offline')
  const [isThere, setThere] = useState(false)
  const giveUp = useEffectEvent(() => {
    notify({ type: 'error', title: t('failure.title', { area: 'common' }), message: t('missing'), topic: 'part' })
    onMissing()
  })
  useEffect(() => {
    let isWanted = true
    part.load().then(
      () => isWanted && setThere(true),
      () => isWanted && giveUp(),
    )
    return () => {
      isWanted = false
    }
  }, [part])
  return isThere ? children : meanwhile
}
