import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Season } from '@/data/types.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const [WIDTH, HEIGHT] = [16, 100]

/** When on a day people read: a bar for each hour. */
export function Hours({ data: { figures } }: { data: Season }) {
  const { t } = useTranslation('season')
  const count = (hour: number) => figures.byHour[String(hour)] ?? 0
  const most = Math.max(...HOURS.map(count))
  if (most === 0) return null
  const peak = HOURS.find((hour) => count(hour) === most) ?? 0
  const span = (hour: number) => ({ from: String(hour), to: String(hour + 1), number: formatCount(count(hour)) })
  return (
    <section className="card">
      <h2>{t('hours')}</h2>
      <svg
        className="hours"
        viewBox={`0 0 ${24 * WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t('hoursLabel', span(peak))}
        preserveAspectRatio="none"
      >
        {HOURS.map((hour) => {
          const height = (count(hour) / most) * HEIGHT
          return (
            <rect key={hour} x={hour * WIDTH + 2} width={WIDTH - 4} y={HEIGHT - height} height={height}>
              <title>{t('hour', span(hour))}</title>
            </rect>
          )
        })}
      </svg>
      <p className="hours__axis figures" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </p>
      <p className="soft">{t('hoursLabel', span(peak))}</p>
      <details>
        <summary>{t('hoursAll')}</summary>
        <ul className="plain figures">
          {HOURS.map((hour) => (
            <li key={hour}>{t('hour', span(hour))}</li>
          ))}
        </ul>
      </details>
    </section>
  )
}
