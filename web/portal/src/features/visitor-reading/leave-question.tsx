import { Button } from '@aws-amplify/ui-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { guardWayBack } from '@/device/way-back.ts'

/** Asks before a link, or the browser's way back, leads away from what was typed and not sent. */
export function LeaveQuestion({ isUnsent }: { isUnsent: boolean }) {
  const { t } = useTranslation('publicReading')
  const [, navigate] = useLocation()
  const [leave, setLeave] = useState<() => void>()
  const mayLeave = useRef(false)

  useEffect(() => {
    if (!isUnsent) return
    const { origin, pathname } = window.location
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const opensBeside = link?.target === '_blank' || event.ctrlKey || event.metaKey || event.shiftKey
      if (!link || opensBeside || link.origin !== origin || link.pathname === pathname) return
      event.preventDefault()
      event.stopPropagation()
      setLeave(() => () => navigate(link.pathname))
    }
    const pop = (event: PopStateEvent) => {
      if (mayLeave.current || window.location.pathname === pathname) return
      // The router does not hear of it; the address that is left comes back.
      event.stopImmediatePropagation()
      history.go(1)
      setLeave(() => () => history.go(-1))
    }
    document.addEventListener('click', click, { capture: true })
    const release = guardWayBack(pop)
    return () => {
      document.removeEventListener('click', click, { capture: true })
      release()
      setLeave(undefined)
    }
  }, [isUnsent, navigate])

  const stay = () => setLeave(undefined)
  return (
    <Dialog
      // What has arrived in the meantime is not discarded.
      open={isUnsent && leave !== undefined}
      title={t('leave.title')}
      onClose={stay}
      actions={
        <>
          <Button variation="primary" onClick={stay}>
            {t('leave.stay')}
          </Button>
          <Button
            onClick={() => {
              mayLeave.current = true
              leave?.()
            }}
          >
            {t('leave.go')}
          </Button>
        </>
      }
    >
      <p>{t('leave.text')}</p>
    </Dialog>
  )
}
