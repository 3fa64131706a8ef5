import { type RefObject, useEffect, useRef } from 'react'

/** The form of a decision: it begins at its first field, and Escape leaves it. */
export function useForm(onCancel: () => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const cancel = useRef(onCancel)
  useEffect(() => {
    cancel.current = onCancel
  })
  useEffect(() => {
    const leaving = new AbortController()
    form.current?.querySelector<HTMLElement>('input, textarea, button')?.focus()
    const leave = ({ key, isComposing }: KeyboardEvent) => key === 'Escape' && !isComposing && cancel.current()
    form.current?.addEventListener('keydown', leave, { signal: leaving.signal })
    return () => leaving.abort()
  }, [])
  return form
}
