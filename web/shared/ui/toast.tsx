import { useEffect, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon, type IconName } from './icon.tsx'
import { dismiss, type Notification } from './notify.ts'

/** A message goes away by itself after this time (L9). */
const SHOWN_MS = 10_000

const ICONS: Record<Notification['type'], IconName> = {
  info: 'info',
  warning: 'warning',
  error: 'error',
  success: 'checkCircle',
}

/** One message. */
export function Toast({ notification: { id, type, title, message, times, at } }: { notification: Notification }) {
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
