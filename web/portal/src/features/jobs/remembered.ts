import type { VirtualItem } from '@tanstack/react-virtual'
import { type Filter, NO_FILTER } from './filter.ts'

/** Where the reader was in a list that makes way for a meter and comes back as it was left, also after a reload. */
export interface Remembered {
  readonly name: string
  search: string
  filter: Filter
  /** On a small screen, where the list scrolls with the page. */
  page: Place
  /** Beside a meter, in a pane of its own: its rows are narrower, and so have other heights. */
  pane: Place
}

export interface Place {
  offset: number
  /** Heights of the rows that were in sight, without which the offset means another row. */
  measurements: VirtualItem[]
  /** What a row takes that was never in sight, in pixels, once some were. */
  rowHeight?: number | undefined
}

/** The same as the tab keeps it. */
interface Kept {
  search: string
  filter: Filter
  page: KeptPlace
  pane: KeptPlace
}

interface KeptPlace {
  offset: number
  /** By the row's key. */
  heights: [key: string, height: number][]
  rowHeight?: number | undefined
}

const lists: Remembered[] = []

const storageKey = (name: string) => `zaehlwerk:list:${name}`
const nowhere = (): Place => ({ offset: 0, measurements: [] })

/** A list as this tab left it before it was reloaded; who comes by an address begins anew. */
export function remember(name: string): Remembered {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const kept = navigation?.type === 'navigate' ? undefined : read(name)
  const remembered = {
    name,
    search: kept?.search ?? '',
    filter: kept?.filter ?? NO_FILTER,
    page: fromKept(kept?.page),
    pane: fromKept(kept?.pane),
  }
  lists.push(remembered)
  return remembered
}

export function keepSearch(remembered: Remembered, search: string): void {
  remembered.search = search
  keep(remembered)
}

export function keepFilter(remembered: Remembered, filter: Filter): void {
  remembered.filter = filter
  keep(remembered)
}

/** Notes the place, the heights of the rows that were in sight, and of the others. */
export function keepPlace(
  remembered: Remembered,
  place: Place,
  measurements: VirtualItem[],
  rowHeight: number | undefined,
): void {
  Object.assign(place, { measurements, rowHeight })
  keep(remembered)
}

/** Forgets every place, search and filter, for the next person at this device. */
export function forgetPlaces(): void {
  for (const list of lists) {
    Object.assign(list, { search: '', filter: NO_FILTER, page: nowhere(), pane: nowhere() })
    keep(list)
  }
}

/** In the tab alone, and gone with it (D-PORTAL-2); a browser that refuses forgets with the reload. */
function keep({ name, search, filter, page, pane }: Remembered): void {
  const kept: Kept = { search, filter, page: toKept(page), pane: toKept(pane) }
  try {
    sessionStorage.setItem(storageKey(name), JSON.stringify(kept))
  } catch {
    // Still in memory.
  }
}

function read(name: string): Kept | undefined {
  try {
    const kept = sessionStorage.getItem(storageKey(name))
    return kept === null ? undefined : (JSON.parse(kept) as Kept)
  } catch {
    return undefined
  }
}

const toKept = ({ offset, measurements, rowHeight }: Place): KeptPlace => ({
  offset,
  rowHeight,
  heights: measurements.map(({ key, size }) => [String(key), size]),
})

/** Only the heights count; where each row begins follows from them. */
const fromKept = (kept: KeptPlace | undefined): Place =>
  kept
    ? {
        offset: kept.offset,
        rowHeight: kept.rowHeight,
        measurements: kept.heights.map(([key, size]) => ({ key, size, index: 0, start: 0, end: size, lane: 0 })),
      }
    : nowhere()
