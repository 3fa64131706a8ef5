import { type RefObject, Suspense, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '@shared/i18n/react.tsx'
import { coming } from './coming.tsx'
import { useNotifications } from './notify.ts'
import './notifications.css'
import { untilThere } from '@shared/api/until-there.ts'
import { useTopmostPlace } from './topmost.ts'

/** One message. The region is there before them; they are fetched after the first screen. */
export const Toast = coming(async () => (await untilThere(() => import('./toast.tsx'))).Toast)

/**
 * The messages, in a live region that exists before the first of them so that it is read out. While a dialog is open they are in
 * it, in every browser: what lies outside is hidden under its backdrop and silent (D-PORTAL-6). The page's own region stays, for
 * what is said while the dialog closes.
 */
export function Notifications() {
  const place = useTopmostPlace()
  return (
    <>
      <Region isOnPage isEmpty={place !== undefined} />
      {place && createPortal(<Region />, place)}
    </>
  )
}

function Region({ isOnPage = false, isEmpty = false }: { isOnPage?: boolean; isEmpty?: boolean }) {
  const { t } = useTranslation()
  const notifications = useNotifications()
  const element = useRef<HTMLElement>(null)
  useRoom(element, isOnPage)
  return (
    <section
      ref={element}
      className={isOnPage ? 'notifications notifications--on-page' : 'notifications'}
      aria-label={t('notifications.label')}
      aria-live="polite"
      aria-relevant="additions"
    >
      {!isEmpty &&
        notifications.map((notification) => (
          <Suspense key={notification.id}>
            <Toast notification={notification} />
          </Suspense>
        ))}
    </section>
  )
}

/** The page gets so much longer that nothing is covered which cannot be scrolled to, and a keyboard on the screen covers no message. */
function useRoom(element: RefObject<HTMLElement | null>, isOnPage: boolean): void {
  useLayoutEffect(() => {
    const region = element.current
    if (!isOnPage || !region) return
    const root = document.documentElement
    const viewport = window.visualViewport
    const lift = () => {
      const isZoomed = viewport && viewport.scale > 1
      const keyboard = viewport && !isZoomed ? innerHeight - viewport.height - viewport.offsetTop : 0
      region.style.setProperty('--zw-keyboard', `${Math.max(0, Math.round(keyboard))}px`)
    }
    const observer = new ResizeObserver(() => {
      root.style.setProperty('--zw-notices', `${Math.ceil(region.getBoundingClientRect().height)}px`)
    })
    observer.observe(region)
    lift()
    viewport?.addEventListener('resize', lift)
    viewport?.addEventListener('scroll', lift)
    return () => {
      observer.disconnect()
      root.style.removeProperty('--zw-notices')
      viewport?.removeEventListener('resize', lift)
      viewport?.removeEventListener('scroll', lift)
    }
  }, [element, isOnPage])
}
