import { useCallback, useEffect, useId, useRef, useState } from 'react'

/**
 * A panel that its button opens and closes. Escape closes it, and so does all that leads elsewhere: a press, the focus, the way back.
 * Popovers of the browser do that too, but not in each one of `build/floor.ts`, where they would cover the page for ever.
 */
export function useMenu() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()

  /** Who was in the panel goes on from the button. */
  const close = useCallback(() => {
    if (panel.current?.contains(document.activeElement)) button.current?.focus()
    setOpen(false)
  }, [])

  useEffect(() => {
    if (!isOpen) return
    const closing = new AbortController()
    const { signal } = closing
    const closeBeside = ({ target }: Event) => {
      const isOurs = target instanceof Node && [button, panel].some(({ current }) => current?.contains(target))
      if (!isOurs) setOpen(false)
    }
    document.addEventListener('pointerdown', closeBeside, { signal })
    document.addEventListener('focusin', closeBeside, { signal })
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal })
    window.addEventListener('popstate', () => setOpen(false), { signal })
    return () => closing.abort()
  }, [isOpen, close])

  return {
    button: { ref: button, 'aria-expanded': isOpen, 'aria-controls': id, onClick: () => setOpen(!isOpen) },
    panel: { ref: panel, id, hidden: !isOpen },
    close,
  }
}
