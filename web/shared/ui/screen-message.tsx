import { type ReactNode, useEffect, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'
import './screen-message.css'

interface Props {
  icon: IconName
  title: string
  /** The heading's level: 1 when the message is the whole screen. */
  level?: 1 | 2
  /** Takes the place of what was pressed: its heading gets the focus, so that it is read out. */
  isAnswer?: boolean
  children: ReactNode
  /** What can be done about it. */
  action?: ReactNode
}

/** Says what a screen, or a part of it, would show if there were something to show. */
export function ScreenMessage({ icon, title, level = 1, isAnswer = false, children, action }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isAnswer) heading.current?.focus()
  }, [isAnswer])
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="screen-message">
      <span className="screen-message__icon">
        <Icon name={icon} size={2} />
      </span>
      <Heading ref={heading} tabIndex={isAnswer ? -1 : undefined} className="screen-message__title">
        {title}
      </Heading>
      <div className="screen-message__text">{children}</div>
      {action}
    </div>
  )
}
