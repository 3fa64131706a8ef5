import { Link } from 'wouter'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { usePresetName } from '@/components/use-preset-name.ts'
import { paths } from '@/data/paths.ts'
import type { Exports, ScheduledExport } from '@/data/types.ts'
import { useRehearsal } from '@/session/session.ts'

interface Props extends Pick<Exports, 'scheduled' | 'seasons'> {
  tenant: string
}

/** What goes out by itself, and where that is set. */
export function Schedule({ tenant, scheduled, seasons }: Props) {
  const { t } = useTranslation('exports')
  const presetName = usePresetName()
  const isInRehearsal = useRehearsal(tenant)
  const ofSeason = (id: string) => {
    const season = seasons.find((one) => one.id === id)
    return season ? t('ofSeason', { name: season.name, day: formatDate(season.exportedUntil) }) : id
  }
  return (
    <section className="fields" aria-labelledby="schedule">
      <h2 id="schedule">{t('schedule')}</h2>
      {scheduled.length === 0 ? (
        <p>{t('noSchedule')}</p>
      ) : (
        <>
          {isInRehearsal && <Message type="info">{t('scheduleRehearsal')}</Message>}
          <ul>
            {scheduled.map((one) => (
              <li key={JSON.stringify(one)}>
                <When {...one} />: {t(`lists.${one.what}`)}
                {one.preset && ` · ${presetName(one.preset)}`}
                {one.season && ` · ${ofSeason(one.season)}`}
              </li>
            ))}
          </ul>
        </>
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
