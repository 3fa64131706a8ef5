import type { VirtualItem } from '@tanstack/react-virtual'

/** Where the reader was in the list: on a small screen it makes way for the meter, and comes back as it was left. */
export const remembered: {
  search: string
  offset: number
  /** Heights of the rows that were in sight, without which the offset means another row. */
  measurements: VirtualItem[]
} = { search: '', offset: 0, measurements: [] }
