import { useLayoutEffect } from 'react'

/** What opened something gets the focus back when that is closed. */
export function useGivenBack(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const opener = document.activeElement
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [isOpen])
}
