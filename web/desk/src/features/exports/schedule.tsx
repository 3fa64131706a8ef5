import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { usePresetName } from '@/components/use-preset-name.ts'
import { paths } from '@/data/paths.ts'
import type { ScheduledExport } from '@/data/types.ts'

/** What goes out by itself, and where that is set. */
export function Schedule({ tenant, scheduled }: { tenant: string; scheduled: readonly ScheduledExport[] }) {
  const { t } = useTranslation('exports')
  const presetName = usePresetName()
  return (
    <section className="fields" aria-labelledby="schedule">
      <h2 id="schedule">{t('schedule')}</h2>
      {scheduled.length === 0 ? (
        <p>{t('noSchedule')}</p>
      ) : (
        <ul>
          {scheduled.map((one) => (
            <li key={JSON.stringify(one)}>
              <When {...one} />: {t(`lists.${one.what}`)}
              {one.preset && ` · ${presetName(one.preset)}`}
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link href={paths.settings(tenant, 'exports')}>{t('changeSchedule')}</Link>
      </p>
    </section>
  )
}

function When({ every, day, hour }: ScheduledExport) {
  const { t } = useTranslation('exports')
  if (every === 'WEEK') return t('weekly', { day: t(`weekdays.${(day ?? 1) as 1}`), hour })
  if (every === 'MONTH') return t('monthly', { day: t('dayOfMonth', { number: day ?? 1 }), hour })
  return t('daily', { hour })
}
