import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { freshen } from '@/session/session.ts'

interface Props {
  title: string
  /** Stands beside the heading. */
  tools?: ReactNode
  children: ReactNode
}

let isFirst = true

/** A screen: its heading gets the focus when one comes to it, so that it is read out, and names the window. */
export function Page({ title, tools, children }: Props) {
  const { t } = useTranslation('desk')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = t('pageTitle', { page: title })
  }, [t, title])
  useEffect(() => {
    // The document that was loaded is read from its beginning, and a part of a screen that one comes to from its own.
    if (window.location.hash === '') {
      if (!isFirst) heading.current?.focus({ preventScroll: true })
      window.scrollTo(0, 0)
    }
    isFirst = false
    void freshen()
  }, [])
  return (
    <div className="page">
      <div className="page__head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {tools && <div className="page__tools">{tools}</div>}
      </div>
      {children}
    </div>
  )
}
