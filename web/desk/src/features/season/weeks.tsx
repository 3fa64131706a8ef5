import { formatDate, formatPercent } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { dayAfter, type Point, shareUntil } from './curve.ts'

interface Props {
  first: string
  last: number
  today: string
  own: readonly Point[]
  old: readonly Point[]
  /** Of this season and of the one before, if there was one. */
  names: readonly [string, string | undefined]
}

/** The curve in numbers: the share that had come in at the end of each week. */
export function Weeks({ first, last, today, own, old, names: [name, nameBefore] }: Props) {
  const { t } = useTranslation('season')
  const weeks = Array.from({ length: Math.floor(last / 7) + 1 }, (_, week) => week)
  const share = (points: readonly Point[], day: number) => formatPercent(shareUntil(points, day) * 100)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('weekUntil')}</th>
          <th scope="col" className="number">
            {name}
          </th>
          {nameBefore !== undefined && (
            <th scope="col" className="number">
              {nameBefore}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => {
          const end = week * 7 + 6
          return (
            <tr key={week}>
              <th scope="row">{formatDate(dayAfter(first, end))}</th>
              <td className="number">{dayAfter(first, week * 7) <= today ? share(own, end) : t('notYet')}</td>
              {nameBefore !== undefined && <td className="number">{share(old, end)}</td>}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
