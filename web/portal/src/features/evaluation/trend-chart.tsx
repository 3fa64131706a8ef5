import { type ReactNode, useId } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { HistoryEntry } from '@shared/rules/evaluation.ts'

/** The drawing is stretched to the room there is: across it is time, and of its 100 units of height the line has the upper ones. */
const LINE_FLOOR = 60
const BARS_CEILING = 70
/** What keeps two bars apart, and the least that a bar is wide. */
const GAP = 0.6

interface End {
  readonly value: string
  readonly day: string
}

interface Props {
  readonly history: readonly HistoryEntry[]
  /** The first and the last reading, in words. */
  readonly ends: readonly [End, End]
  readonly isFeedIn: boolean
  readonly formatConsumption: (value: string) => string
}

/** The counter over time as a line, which breaks where it began anew, and what was used between the readings as bars below it. */
export function TrendChart({ history, ends, isFeedIn, formatConsumption }: Props) {
  const { t } = useTranslation('evaluation')
  const titleId = useId()
  const points = pointsOf(history)
  const { bars, ground } = barsOf(history)
  const [first, last] = ends
  const most = history.reduce<string | undefined>(
    (most, { consumption }) => (Number(consumption) > Number(most ?? 0) ? consumption : most),
    undefined,
  )
  return (
    <figure className="trend">
      <svg
        className="trend__chart"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={titleId}
      >
        <title id={titleId}>
          {t('trend', { first: `${first.value} (${first.day})`, last: `${last.value} (${last.day})` })}
        </title>
        {bars.map(({ id, isEstimate, ...place }) => (
          <rect key={id} className={named('trend__bar', isEstimate)} {...place} />
        ))}
        <path className="trend__ground" d={`M0 ${ground}H100`} />
        {runsOf(points).map((run) => (
          <polyline key={run[0]?.id} className="trend__line" points={run.map(({ x, y }) => `${x},${y}`).join(' ')} />
        ))}
        {points.map(({ id, x, y, isEstimate }) => (
          <g key={id} className={named('trend__point', isEstimate)}>
            {/* A stroke without a length is a dot, which stays round however the drawing is stretched. */}
            <path d={`M${x} ${y}h0`} />
            {isEstimate && <path className="trend__hole" d={`M${x} ${y}h0`} />}
          </g>
        ))}
      </svg>
      {/* The drawing's name says the same. */}
      <div className="trend__ends" aria-hidden="true">
        {ends.map(({ value, day }) => (
          <span key={day} className="trend__end">
            <strong>{value}</strong>
            <span>{day}</span>
          </span>
        ))}
      </div>
      <figcaption className="trend__legend">
        <Mark look="line">{t('chart.reading')}</Mark>
        {points.some(({ isEstimate }) => isEstimate) && <Mark look="estimate">{t('chart.estimate')}</Mark>}
        {most !== undefined && (
          <Mark look="bar">
            {t(isFeedIn ? 'chart.fedIn' : 'chart.used')}{' '}
            <span className="trend__most">{t('chart.most', { value: formatConsumption(most) })}</span>
          </Mark>
        )}
      </figcaption>
    </figure>
  )
}

const named = (name: string, isEstimate: boolean) => (isEstimate ? `${name} ${name}--estimate` : name)

function Mark({ look, children }: { look: 'line' | 'estimate' | 'bar'; children: ReactNode }) {
  return (
    <span className="trend__entry">
      <i className={`trend__mark trend__mark--${look}`} aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}

interface Point {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly isEstimate: boolean
  /** Nothing leads to it. */
  readonly startsAnew: boolean
}

function pointsOf(history: readonly HistoryEntry[]): Point[] {
  const x = timeOf(history)
  const values = history.map(({ readingValue }) => Number(readingValue))
  const y = scale(values, LINE_FLOOR, 0)
  return history.map((entry, index) => ({
    id: entry.id,
    x: x(entry),
    y: y(values[index] ?? 0),
    isEstimate: isEstimate(entry),
    startsAnew: entry.startsAnew,
  }))
}

/** The points that a line connects. */
function runsOf(points: readonly Point[]): Point[][] {
  const runs: Point[][] = []
  for (const point of points) {
    const run = runs.at(-1)
    if (run && !point.startsAnew) run.push(point)
    else runs.push([point])
  }
  return runs
}

/** What was used, each bar as wide as the time in which it was, above the ground or, where a level fell, below it. */
function barsOf(history: readonly HistoryEntry[]) {
  const x = timeOf(history)
  const used = history.map(({ consumption }) => Number(consumption ?? 0))
  const y = scale([0, ...used], 100, BARS_CEILING)
  const bars = history.flatMap((entry, index) => {
    const before = history[index - 1]
    const [top, floor] = [y(Math.max(used[index] ?? 0, 0)), y(Math.min(used[index] ?? 0, 0))]
    if (!before || entry.consumption === undefined || top === floor) return []
    const [from, to] = [x(before) + GAP / 2, x(entry) - GAP / 2]
    const place = { x: from, y: top, width: Math.max(to - from, GAP), height: floor - top }
    return [{ id: entry.id, isEstimate: isEstimate(entry), ...place }]
  })
  return { bars, ground: bars.length > 0 ? y(0) : 100 }
}

const isEstimate = ({ reason }: HistoryEntry) => reason === 'ESTIMATED_READING'

function timeOf(history: readonly HistoryEntry[]): (entry: HistoryEntry) => number {
  const day = ({ readingDate }: HistoryEntry) => Date.parse(readingDate)
  const place = scale(history.map(day), 0, 100)
  return (entry) => place(day(entry))
}

/** Numbers to places; equal numbers lie in the middle. */
function scale(numbers: readonly number[], from: number, to: number): (number: number) => number {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const place = (number: number) =>
    most === least ? (from + to) / 2 : from + ((number - least) / (most - least)) * (to - from)
  return (number) => Math.round(place(number) * 100) / 100
}
