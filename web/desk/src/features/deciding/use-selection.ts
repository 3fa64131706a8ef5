import { useRef, useState } from 'react'
import type { WaitingItem } from '@/data/types.ts'

/** Most readings of one call. */
export const MOST = 50

/** A reading among others. */
export const keyOf = ({ job, reading }: WaitingItem): string => `${job} ${reading?.id ?? job}`

/** Which of the listed readings are chosen; with the shift key, all from the last one on. */
export function useSelection(items: readonly WaitingItem[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  // What the list no longer has is chosen no longer.
  const chosen = items.filter((item) => keys.has(keyOf(item)))
  const last = useRef(0)
  const toggle = (place: number, isRange: boolean) => {
    const next = new Set(chosen.map(keyOf))
    const item = items[place]
    if (!item) return
    const on = !keys.has(keyOf(item))
    const from = isRange ? Math.min(last.current, place) : place
    const to = isRange ? Math.max(last.current, place) : place
    for (const one of items.slice(from, to + 1)) {
      if (on && next.size < MOST) next.add(keyOf(one))
      else if (!on) next.delete(keyOf(one))
    }
    last.current = place
    setKeys(next)
  }
  const clear = () => setKeys(new Set())
  return {
    chosen,
    isChosen: (item: WaitingItem) => keys.has(keyOf(item)),
    toggle,
    clear,
  }
}
