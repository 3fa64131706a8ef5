import type { Run } from '@/data/types.ts'

/** As much has to be done before the rest can be told from it. */
const TELLING = 0.05

/** In how many minutes a run will probably be over, at least one; none while nothing tells. */
export function minutesLeft({ takenAt, reached, of }: Run, now: number): number | undefined {
  if (!takenAt || of === 0 || reached < of * TELLING) return undefined
  const since = now - Date.parse(takenAt)
  return since > 0 ? Math.max(1, Math.ceil((since * (of - reached)) / reached / 60_000)) : undefined
}
