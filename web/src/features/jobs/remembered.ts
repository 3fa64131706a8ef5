import type { VirtualItem } from '@tanstack/react-virtual'

/** Where the reader was in a list that makes way for a meter and comes back as it was left. */
export interface Remembered {
  search: string
  /** On a small screen, where the list scrolls with the page. */
  page: Place
  /** Beside a meter, in a pane of its own: its rows are narrower, and so have other heights. */
  pane: Place
}

interface Place {
  offset: number
  /** Heights of the rows that were in sight, without which the offset means another row. */
  measurements: VirtualItem[]
}

const nowhere = (): Place => ({ offset: 0, measurements: [] })

/** A list that nobody has looked at yet. */
export const newlyOpened = (): Remembered => ({ search: '', page: nowhere(), pane: nowhere() })

export function keepSearch(remembered: Remembered, search: string): void {
  remembered.search = search
}
