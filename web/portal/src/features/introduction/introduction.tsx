import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon, type IconName } from '@shared/ui/icon.tsx'
import { useApplication } from '@/data/application.ts'
import { useJobs } from '@/data/jobs.ts'
import './introduction.css'

const STEPS: { key: 'choose' | 'read' | 'send'; icon: IconName }[] = [
  { key: 'choose', icon: 'search' },
  { key: 'read', icon: 'counter' },
  { key: 'send', icon: 'checkCircle' },
]

/** Greets who came by a link, and says in three steps what there is to do (L2). */
export function Introduction({ jobsPath }: { jobsPath: string }) {
  const { t } = useTranslation('introduction')
  const { name } = useApplication()
  // They come, and are kept, while this is read.
  useJobs()
  return (
    <div className="introduction">
      <title>{`${t('title')} – ${name}`}</title>
      <h1>{t('title')}</h1>
      <p className="introduction__text">{t('text')}</p>
      <ol className="introduction__steps">
        {STEPS.map(({ key, icon }) => (
          <li key={key} className="panel introduction__step">
            <span className="introduction__icon">
              <Icon name={icon} />
            </span>
            <h2>{t(`steps.${key}.title`)}</h2>
            <p>{t(`steps.${key}.text`)}</p>
          </li>
        ))}
      </ol>
      <Link href={jobsPath} className="button-link">
        {t('start')}
      </Link>
    </div>
  )
}
