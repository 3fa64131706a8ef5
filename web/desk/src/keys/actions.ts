/** The one registry of what keys do: the list of keys, the hints on buttons and the keys themselves come from it. */
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { isDialogOpen } from '@shared/ui/topmost.ts'

/** Something that a key does. */
export interface Action {
  /** What the key's event calls itself: `/`, `Escape`, or a letter in lower case. */
  readonly key: string
  /** What it does, for the list of keys. */
  readonly label: string
  readonly run: () => void
  /** Why it cannot be done now; it stays in the list. */
  readonly reason?: string | undefined
}

const SWITCH = 'desk-single-keys'

/** Later ones go before earlier ones: a part of a screen before the screen, the screen before the desk. */
let groups: readonly { readonly current: readonly Action[] }[] = []
let areOn = readSwitch()
const listeners = new Set<() => void>()

function readSwitch(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== 'off'
  } catch {
    return true
  }
}

function changed(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Offers actions for as long as the component is there. */
export function useActions(actions: readonly Action[]): void {
  const latest = useRef(actions)
  // Before it is painted: what is seen can be pressed.
  useLayoutEffect(() => {
    latest.current = actions
  })
  useLayoutEffect(() => {
    groups = [...groups, latest]
    return () => {
      groups = groups.filter((other) => other !== latest)
    }
  }, [])
}

/** What keys do here, each key once. */
export function currentActions(): Action[] {
  const all = groups.toReversed().flatMap(({ current }) => current)
  return all.filter(({ key }, index) => all.findIndex((other) => other.key === key) === index)
}

/** Whether single keys do something (WCAG 2.1.4). */
export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, () => areOn)

/** Switches single keys on or off, in this browser for good. */
export function switchSingleKeys(on: boolean): void {
  areOn = on
  try {
    localStorage.setItem(SWITCH, on ? 'on' : 'off')
  } catch {
    // Until the page is left.
  }
  changed()
}

/** Whether keys go to what has the focus: who types there decides nothing. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio], [type=button]), textarea, select')
  )
}

function onKey(event: KeyboardEvent): void {
  const { key, target, isComposing, defaultPrevented, ctrlKey, altKey, metaKey, repeat } = event
  if (!areOn || defaultPrevented || isComposing || repeat || ctrlKey || altKey || metaKey) return
  if (takesKeys(target) || isDialogOpen()) return
  const action = currentActions().find((one) => one.key === (key.length === 1 ? key.toLowerCase() : key))
  if (!action) return
  event.preventDefault()
  if (action.reason === undefined) action.run()
}

/** Listens for keys, for as long as the page is there. */
export function startKeys(): void {
  document.addEventListener('keydown', onKey)
}
