import { Button } from '@aws-amplify/ui-react'
import type { ReactNode } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { labelKey } from '@/components/counter/label-key.ts'
import { ResultImage } from '@/components/photos/result-image.tsx'
import { consumptionSince, type Rate, usedWithUnit, useRates, withUnit } from './rate.ts'

interface Props {
  readonly job: Job
  /** Reopens the entry; absent while nothing can be sent. */
  readonly onAgain: (() => void) | undefined
  /** The way on. */
  readonly children: ReactNode
}

/** What was sent: the last reading of each rate (L4). */
export function ResultView({ job, onAgain, children }: Props) {
  const { t } = useTranslation('reading')
  const rates = useRates(job)
  return (
    <section className="panel result" aria-labelledby="result-title">
      <div className="result__head">
        <Icon name="checkCircle" size={2} className="result__check" />
        <div>
          <h2 id="result-title" className="reading__title" tabIndex={-1}>
            {t('result.title')}
          </h2>
          <p>{t('result.thanks', { count: rates.length })}</p>
        </div>
      </div>
      {children}
      {rates.map((rate) => (
        <RateResult key={rate.task.taskId} job={job} rate={rate} />
      ))}
      {onAgain && (
        <div className="result__again">
          <p>{t('result.againHint', { count: rates.length })}</p>
          <Button onClick={onAgain}>{t('result.again')}</Button>
        </div>
      )}
    </section>
  )
}

function RateResult({ job, rate }: { job: Job; rate: Rate }) {
  const { t } = useTranslation('reading')
  const { result, event } = rate
  if (!result) return null
  const { showReadingCommentAllowed, showReadingImagesAllowed } = job.config.features
  const used = result.lowerReason ? undefined : consumptionSince(rate, result.readingValue)
  const label = t(labelKey(rate))
  return (
    <div className="result__rate">
      <h3 className="result__name">
        {label}
        {rate.name && <span className="rate__name"> {rate.name}</span>}
      </h3>
      <p className="result__value figures">{withUnit(result.readingValue, rate)}</p>
      <dl className="result__facts">
        <div>
          <dt>{t('result.date')}</dt>
          <dd className="figures">{formatDate(result.readingDate)}</dd>
        </div>
        {event && used !== undefined && (
          <div>
            <dt>
              {t(rate.isFeedIn ? 'result.consumptionFeedIn' : 'result.consumption', {
                date: formatDate(event.readingDate),
              })}
            </dt>
            <dd className="figures">{usedWithUnit(used, rate)}</dd>
          </div>
        )}
        {result.lowerReason && (
          <div>
            <dt>{t('result.lower')}</dt>
            <dd>{t(`result.lowerReason.${result.lowerReason}`)}</dd>
          </div>
        )}
        {showReadingCommentAllowed && result.comment && (
          <div>
            <dt>{t('result.comment')}</dt>
            <dd className="result__comment">{result.comment}</dd>
          </div>
        )}
      </dl>
      {showReadingImagesAllowed && result.readingResultImages.length > 0 && (
        <ul className="result__images">
          {result.readingResultImages.map(({ imageId }, index) => (
            <li key={imageId}>
              <ResultImage job={job} taskId={rate.task.taskId} imageId={imageId} number={index + 1} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
