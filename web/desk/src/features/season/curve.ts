/** How many jobs were done until each day, counted from the first day of their season. */
export interface Point {
  readonly day: number
  readonly share: number
}

const DAY = 86_400_000

/** The share of all jobs that was done until each day on which something came; begins with none. */
export function curve(byDay: Readonly<Record<string, number>>, jobs: number, firstDay: string): Point[] {
  let done = 0
  const points = Object.entries(byDay)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, count]) => {
      done += count
      return { day: Math.max((Date.parse(day) - Date.parse(firstDay)) / DAY, 0), share: jobs === 0 ? 0 : done / jobs }
    })
  return [{ day: 0, share: 0 }, ...points]
}

/** The day that comes so many days after another one. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** The share that was done until a day of the season. */
export const shareUntil = (points: readonly Point[], day: number): number =>
  points.findLast((point) => point.day <= day)?.share ?? 0

/** The line of a curve in a picture of so many units, its last height drawn on until the last day. */
export function lineOf(points: readonly Point[], lastDay: number, width: number, height: number): string {
  const at = ({ day, share }: Point) =>
    `${((Math.min(day, lastDay) / Math.max(lastDay, 1)) * width).toFixed(1)},${((1 - Math.min(share, 1)) * height).toFixed(1)}`
  return points.map(at).join(' ')
}
