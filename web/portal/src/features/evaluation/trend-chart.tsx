import { useId } from 'react'
import type { HistoryEntry } from '@shared/rules/evaluation.ts'

const WIDTH = 480
const HEIGHT = 120
/** Room for the points at the edges. */
const MARGIN = 8

interface Props {
  history: readonly HistoryEntry[]
  /** What the chart says, for those who do not see it; the readings stand in the tables below it. */
  title: string
}

/** The counter over time. Where it began anew, the line breaks. */
export function TrendChart({ history, title }: Props) {
  const id = useId()
  const points = placed(history)
  const runs = points.reduce<Point[][]>((runs, point) => {
    const run = runs.at(-1)
    if (run && !point.startsAnew) run.push(point)
    else runs.push([point])
    return runs
  }, [])
  return (
    <svg className="trend" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      <line className="trend__ground" x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      {runs.map((run) => (
        <polyline key={run[0]?.id} className="trend__line" points={run.map(({ x, y }) => `${x},${y}`).join(' ')} />
      ))}
      {points.map(({ id, x, y, isEstimate }) => (
        <circle
          key={id}
          className={isEstimate ? 'trend__point trend__point--estimate' : 'trend__point'}
          cx={x}
          cy={y}
          r="4.5"
        />
      ))}
    </svg>
  )
}

interface Point {
  id: string
  x: number
  y: number
  isEstimate: boolean
  /** Nothing leads to it. */
  startsAnew: boolean
}

function placed(history: readonly HistoryEntry[]): Point[] {
  const days = history.map(({ readingDate }) => Date.parse(readingDate))
  const values = history.map(({ readingValue }) => Number(readingValue))
  const x = scale(days, MARGIN, WIDTH - MARGIN)
  const y = scale(values, HEIGHT - MARGIN, MARGIN)
  return history.map((entry, index) => ({
    id: entry.id,
    x: x(days[index] ?? 0),
    y: y(values[index] ?? 0),
    isEstimate: entry.reason === 'ESTIMATED_READING',
    startsAnew: entry.startsAnew,
  }))
}

/** Numbers to places; equal numbers lie in the middle. */
function scale(numbers: readonly number[], from: number, to: number): (number: number) => number {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const place = (number: number) =>
    most === least ? (from + to) / 2 : from + ((number - least) / (most - least)) * (to - from)
  return (number) => Math.round(place(number) * 10) / 10
}
