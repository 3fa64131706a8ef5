import { formatAbout, formatDate, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import './bars.css'
import type { Period } from './years.ts'

interface Props {
  periods: readonly Period[]
  unit: string | undefined
  /** What the use of a year may be without a question, in the unit. */
  band?: { least: number; most: number } | undefined
  /** The last bar is the one that is judged. */
  isLastNew?: boolean
}

const HEIGHT = 96
const MOST_BARS = 8

/** The use of each period, put to a year, as bars; each says its figures in words below. */
export function Bars({ periods, unit, band, isLastNew = false }: Props) {
  const { t } = useTranslation('parts')
  const shown = periods.slice(-MOST_BARS)
  if (shown.length === 0) return <p className="soft">{t('bars.none')}</p>
  const most = Math.max(...shown.map(({ perYear }) => perYear), band?.most ?? 0) || 1
  const height = (value: number) => (Math.min(value, most) / most) * HEIGHT
  return (
    <figure className="bars" aria-label={t('bars.label')}>
      {shown.map((period, index) => {
        const kind = isLastNew && index === shown.length - 1 ? 'new' : period.isEstimated ? 'estimated' : 'known'
        return (
          <div key={`${period.from} ${period.to}`} className="bars__bar">
            <svg viewBox={`0 0 40 ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="none">
              {band && (
                <rect
                  className="bars__band"
                  x="0"
                  width="40"
                  y={HEIGHT - height(band.most)}
                  height={Math.max(height(band.most) - height(band.least), 1)}
                />
              )}
              <rect
                className={`bars__${kind}`}
                x="8"
                width="24"
                y={HEIGHT - Math.max(height(period.perYear), 1)}
                height={Math.max(height(period.perYear), 1)}
              />
            </svg>
            <strong className="figures">{withUnit(formatAbout(period.perYear), unit)}</strong>
            <small>{t('bars.until', { day: formatDate(period.to) })}</small>
            {kind !== 'known' && <small>{t(`bars.${kind}`)}</small>}
          </div>
        )
      })}
    </figure>
  )
}
