import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon, type IconName } from './icon.tsx'
import { dismiss, type Notification, useNotifications } from './notify.ts'
import './notifications.css'
import { useTopmostPlace } from './topmost.ts'

/** A message goes away by itself after this time (L9). */
const SHOWN_MS = 10_000

const ICONS: Record<Notification['type'], IconName> = {
  info: 'info',
  warning: 'warning',
  error: 'error',
  success: 'checkCircle',
}

/**
 * The messages, in a live region that exists before the first of them so that it is read out. While a dialog is open they are in
 * it, in every browser: what lies outside is hidden under its backdrop and silent (D-PORTAL-6).
 */
export function Notifications() {
  const place = useTopmostPlace()
  return place ? createPortal(<Region />, place) : <Region isOnPage />
}

function Region({ isOnPage = false }: { isOnPage?: boolean }) {
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
      {notifications.map((notification) => (
        <Toast key={notification.id} notification={notification} />
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

function Toast({ notification: { id, type, title, message, times, at } }: { notification: Notification }) {
  const { t } = useTranslation()
  const [isHeld, setHeld] = useState(false)
  // What has moved into a dialog, or out of it, has been seen for a while.
  const [seen] = useState(() => Date.now() - at)
  const [wasHeld, setWasHeld] = useState(false)
  if (isHeld && !wasHeld) setWasHeld(true)

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), wasHeld ? SHOWN_MS : SHOWN_MS - seen)
    return () => clearTimeout(timer)
  }, [id, isHeld, wasHeld, seen])

  return (
    <div
      className={`toast toast--${type}`}
      role={type === 'error' ? 'alert' : undefined}
      // Who is reading or reaching for it does not lose it under their hands.
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={ICONS[type]} className="toast__icon" />
      <div className="toast__text">
        <strong>
          <span className="visually-hidden">{t(`notifications.${type}`)}: </span>
          {title}
          {times > 1 && ` (${t('notifications.times', { count: times })})`}
        </strong>
        {message && <p>{message}</p>}
      </div>
      <button type="button" className="icon-button" aria-label={t('close')} onClick={() => dismiss(id)}>
        <Icon name="close" size={1.25} />
      </button>
    </div>
  )
}
