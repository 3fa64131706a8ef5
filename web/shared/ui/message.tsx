import { type ReactNode, useEffect, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'
import './message.css'

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
    if (!isAnswer) return
    // The notice has its room on the page from the frame after this one on.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => element.current?.scrollIntoView({ block: 'nearest' }))
    })
    return () => cancelAnimationFrame(frame)
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
