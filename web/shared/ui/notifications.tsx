import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from './icon.tsx'
import { dismiss, type Notification, useNotifications } from './notify.ts'
import './notifications.css'

/** A message goes away by itself after this time (L9). */
const SHOWN_MS = 10_000

const ICONS: Record<Notification['type'], IconName> = {
  info: 'info',
  warning: 'warning',
  error: 'error',
  success: 'checkCircle',
}

/** The messages, in a live region that exists before the first of them so that it is read out. */
export function Notifications() {
  const { t } = useTranslation()
  const notifications = useNotifications()
  return (
    <section
      className="notifications"
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

function Toast({ notification: { id, type, title, message } }: { notification: Notification }) {
  const { t } = useTranslation()
  const [isHeld, setHeld] = useState(false)

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld])

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
        </strong>
        {message && <p>{message}</p>}
      </div>
      <button type="button" className="icon-button" aria-label={t('close')} onClick={() => dismiss(id)}>
        <Icon name="close" size={1.25} />
      </button>
    </div>
  )
}
