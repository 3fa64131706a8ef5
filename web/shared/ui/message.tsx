import { type ReactNode, useEffect, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'
import './message.css'
import { showAboveNotice } from './scroll.ts'

interface Props {
  type: 'info' | 'warning' | 'error' | 'success'
  title?: string
  children?: ReactNode
  /** Set for a message that appears by itself and must be read out at once. */
  role?: 'alert' | 'status'
  /** Answers what was pressed, and so has to be in sight: not under a notice that comes with it. */
  isAnswer?: boolean
}

const ICONS: Record<Props['type'], IconName> = {
  info: 'info',
  warning: 'warning',
  error: 'error',
  success: 'checkCircle',
}

/** A message that stays where it belongs on the screen. */
export function Message({ type, title, children, role, isAnswer = false }: Props) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    return isAnswer ? showAboveNotice(element.current) : undefined
  }, [isAnswer])
  return (
    <div ref={element} className={`message message--${type}`} role={role}>
      <Icon name={ICONS[type]} />
      <div className="message__text">
        {title && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  )
}
