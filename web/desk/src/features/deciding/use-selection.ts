import { useRef, useState } from 'react'
import type { WaitingItem } from '@/data/types.ts'

/** Most readings of one call. */
const MOST = 50

/** A reading among others. */
export const keyOf = ({ job, reading }: WaitingItem): string => `${job} ${reading?.id ?? job}`

/** Which of the listed readings are chosen; with the shift key, all from the last one on. */
export function useSelection(items: readonly WaitingItem[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef(0)
  const toggle = (place: number, isRange: boolean) => {
    const next = new Set(chosen)
    const item = items[place]
    if (!item) return
    const on = !chosen.has(keyOf(item))
    const from = isRange ? Math.min(last.current, place) : place
    const to = isRange ? Math.max(last.current, place) : place
    for (const one of items.slice(from, to + 1)) {
      if (on && next.size < MOST) next.add(keyOf(one))
      else if (!on) next.delete(keyOf(one))
    }
    last.current = place
    setChosen(next)
  }
  const clear = () => setChosen(new Set())
  return {
    chosen: items.filter((item) => chosen.has(keyOf(item))),
    isChosen: (item: WaitingItem) => chosen.has(keyOf(item)),
    toggle,
    clear,
  }
}
