import { type RefObject, useEffect, useRef } from 'react'

/** The form of a decision: it begins at its first field, Escape leaves it, and Enter with Ctrl or ⌘ sends it from a field of several lines, too. */
export function useForm(onCancel: () => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const cancel = useRef(onCancel)
  useEffect(() => {
    cancel.current = onCancel
  })
  useEffect(() => {
    const leaving = new AbortController()
    form.current?.querySelector<HTMLElement>('input, textarea, button')?.focus()
    const pressed = ({ key, isComposing, ctrlKey, metaKey, target }: KeyboardEvent) => {
      if (isComposing) return
      if (key === 'Escape') cancel.current()
      else if (key === 'Enter' && (ctrlKey || metaKey) && target instanceof HTMLTextAreaElement) {
        form.current?.requestSubmit()
      }
    }
    form.current?.addEventListener('keydown', pressed, { signal: leaving.signal })
    return () => leaving.abort()
  }, [])
  return form
}
