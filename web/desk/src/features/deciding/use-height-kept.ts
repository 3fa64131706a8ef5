import { type RefObject, useLayoutEffect } from 'react'

/** Keeps the height of what lies over the page in a variable of the page, by which room is made for it. */
export function useHeightKept(element: RefObject<HTMLElement | null>, variable: `--${string}`): void {
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown) return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(variable, `${shown.offsetHeight}px`))
    observer.observe(shown)
    return () => {
      observer.disconnect()
      style.removeProperty(variable)
    }
  }, [element, variable])
}
