import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { STEPS, type Step } from './draft.ts'

/** The way through the steps, and where on it the visitor is. */
export function Steps({ step }: { step: Step }) {
  const { t } = useTranslation('publicReading')
  const current = STEPS.indexOf(step)
  return (
    <ol className="steps" aria-label={t('stepsLabel')}>
      {STEPS.map((name, index) => {
        const isDone = index < current || step === 'DONE'
        return (
          <li key={name} className="steps__step" data-done={isDone} aria-current={name === step ? 'step' : undefined}>
            <span className="steps__number">{isDone ? <Icon name="check" size={1.125} /> : index + 1}</span>
            {isDone && <span className="visually-hidden">{t('stepDone')} </span>}
            <span className="steps__name">{t(`steps.${name}`)}</span>
          </li>
        )
      })}
    </ol>
  )
}
