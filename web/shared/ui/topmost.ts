/** What lies over everything else: the dialogs that are open make the rest of the page unreachable, for eyes, hands and screen readers. */
import { useSyncExternalStore } from 'react'

let places: readonly HTMLElement[] = []
const listeners = new Set<() => void>()

/** Gives notices a place in a dialog that has just been opened; the returned function takes it away. */
export function placeInDialog(place: HTMLElement): () => void {
  set([...places, place])
  return () => set(places.filter((other) => other !== place))
}

/** Where notices are to be shown: in the dialog that was opened last; undefined while none is open. */
export const useTopmostPlace = (): HTMLElement | undefined => useSyncExternalStore(onDialogs, () => places.at(-1))

/** Whether a dialog is open. */
export const isDialogOpen = (): boolean => places.length > 0

function set(next: readonly HTMLElement[]): void {
  places = next
  for (const listener of listeners) listener()
}

/** Calls back when a dialog opens or closes; the returned function stops that. */
export function onDialogs(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
