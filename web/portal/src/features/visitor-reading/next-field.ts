import { useTranslation } from '@shared/i18n/react.tsx'
import { CONTACT_FIELDS } from './contact-step.tsx'
import { rateDraft, type Step, selectedRates } from './draft.ts'
import { useRateText } from './reading-step.tsx'
import type { StepProps } from './step.ts'

/** What of a step is missing or wrong first, by the name that it has on the screen. */
export function useNextField(step: Step, { config, draft, findings }: Omit<StepProps, 'onChange'>): string | undefined {
  const { t } = useTranslation('publicReading')
  const rateText = useRateText()
  const isWrong = (field: string) => findings.some((finding) => finding.field === field)
  switch (step) {
    case 'METER':
      if (isWrong('meterNumber')) return t('meter.number')
      return isWrong('subType') ? t('meter.subType') : undefined
    case 'METER_READING': {
      const rates = selectedRates(config, draft)
      if (rates.length === 0) return t('reading.rates')
      const rate = rates.find(({ obis }) => isWrong(`rate.${obis}`))
      if (rate) return rateText(rate)
      const pictured = findings.some(({ code }) => code === 'IMAGE_TOO_MANY')
        ? rates.findLast(({ obis }) => rateDraft(draft, obis).photos.length > 0)
        : undefined
      const unseen = rates.find(
        ({ obis, reading }) => reading.isReadingImageRequired && rateDraft(draft, obis).photos.length === 0,
      )
      const onPhotos = pictured ?? unseen
      if (onPhotos) return t('reading.photoOf', { rate: rateText(onPhotos) })
      return isWrong('readingDate') ? t('reading.date') : undefined
    }
    case 'CONTACT': {
      const field = CONTACT_FIELDS.find(({ field }) => isWrong(`contact.${field}`))?.field
      if (field) return t(`contact.${field}`)
      return isWrong('readingReason') ? t('contact.reason') : undefined
    }
    default:
      return undefined
  }
}
