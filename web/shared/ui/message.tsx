import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import './message.css'

interface Props {
  type: 'info' | 'warning' | 'error' | 'success'
  title?: string
  children?: ReactNode
  /** Set for a message that appears by itself and must be read out at once. */
  role?: 'alert' | 'status'
}

const ICONS: Record<Props['type'], IconName> = {
  info: 'info',
  warning: 'warning',
  error: 'error',
  success: 'checkCircle',
}

/** A message that stays where it belongs on the screen. */
export function Message({ type, title, children, role }: Props) {
  return (
    <div className={`message message--${type}`} role={role}>
      <Icon name={ICONS[type]} />
      <div className="message__text">
        {title && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  )
}
