import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { BusyButton } from '@shared/ui/busy-button.tsx'

interface Props {
  hasMore: boolean
  isLoading: boolean
  more: () => void
  children: ReactNode
}

const reachable = () => [...document.querySelectorAll('main :is(a[href], button, input):not(:disabled)')]

/** The button for the rest of a list. With the last rows it goes; who pressed it is then at the first thing of these rows. */
export function More({ hasMore, isLoading, more, children }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  /** What came before the button. */
  const last = useRef<Element>(undefined)
  useLayoutEffect(() => {
    if (hasMore || !last.current || document.activeElement !== document.body) return
    const all = reachable()
    const next = all[all.indexOf(last.current) + 1]
    if (next instanceof HTMLElement) next.focus()
  }, [hasMore])
  if (!hasMore) return null
  return (
    <BusyButton
      ref={button}
      isLoading={isLoading}
      onClick={() => {
        const before = reachable()
        last.current = button.current ? before[before.indexOf(button.current) - 1] : undefined
        more()
      }}
    >
      {children}
    </BusyButton>
  )
}
