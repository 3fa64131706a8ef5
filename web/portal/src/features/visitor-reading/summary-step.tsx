import { Button } from '@aws-amplify/ui-react'
import type { ReactNode } from 'react'
import { formatDate, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BlobImage } from '@shared/photos/blob-image.tsx'
import { rateUnit } from '@shared/rules/obis.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { PrivacyField } from '@shared/ui/privacy-field.tsx'
import { useApplication } from '@/data/application.ts'
import { CleanField } from './clean-field.tsx'
import { reasonText } from './contact-step.tsx'
import { rateDraft, rateValue, type Step, selectedRates } from './draft.ts'
import { useRateText } from './reading-step.tsx'
import type { StepProps } from './step.ts'
import { useSubTypeTexts } from './sub-type.ts'

interface Props extends StepProps {
  readonly today: IsoDate
  /** The visitor may ask for a copy by e-mail. */
  readonly mayHaveCopy: boolean
  readonly onEdit: (step: Step) => void
}

/** Everything once more, and the consent. */
export function SummaryStep({ config, draft, onChange, findings, today, mayHaveCopy, onEdit }: Props) {
  const { t } = useTranslation('publicReading')
  const { t: meterText } = useTranslation('reading')
  const { privacy } = useApplication().config.legal
  const rateText = useRateText()
  const { contact } = draft
  const subType = config.meters[draft.meterType]?.subTypeMeterConfigs.find(({ subType }) => subType === draft.subType)
  const subTypeTexts = useSubTypeTexts()
  const subTypeLabel = subType && subTypeTexts(subType).label
  const reason = config.readingReasons.find(({ value }) => value === draft.readingReason)
  const isEmailWrong = findings.some(({ field }) => field === 'email')

  return (
    <>
      <Part title={t('steps.METER')} onEdit={() => onEdit('METER')}>
        <Fact term={t('meter.number')}>
          <span className="identifier">{draft.meterNumber}</span>
        </Fact>
        <Fact term={t('meter.type')}>
          {meterText(`meterType.${draft.meterType}`)}
          {subTypeLabel && (
            <>
              , <span lang={subTypeLabel.lang}>{subTypeLabel.text}</span>
            </>
          )}
        </Fact>
      </Part>
      <Part title={t('steps.METER_READING')} onEdit={() => onEdit('METER_READING')}>
        {selectedRates(config, draft).map((rate) => {
          const photos = rate.reading.isReadingImageAllowed ? rateDraft(draft, rate.obis).photos : []
          return (
            <Fact key={rate.obis} term={rateText(rate)}>
              <strong className="figures">
                {formatValue(rateValue(rate, draft) ?? '')} {rateUnit(rate)}
              </strong>
              {photos.length > 0 && (
                <span className="summary__photos">
                  {photos.map((photo, index) => (
                    <span key={photo.id} className="stored-photo">
                      <BlobImage picture={photo.blob} alt={t('summary.photo', { number: index + 1 })} />
                    </span>
                  ))}
                </span>
              )}
            </Fact>
          )
        })}
        <Fact term={t('reading.date')}>{formatDate(draft.readingDate ?? today)}</Fact>
      </Part>
      <Part title={t('steps.CONTACT')} onEdit={() => onEdit('CONTACT')}>
        <Fact term={t('summary.address')}>
          {contact.firstname} {contact.lastname}
          <br />
          {contact.street} {contact.houseNumber}
          <br />
          {contact.zip} {contact.city}
        </Fact>
        {reason && <Fact term={t('contact.reason')}>{reasonText(reason).label}</Fact>}
      </Part>
      {mayHaveCopy && (
        <CleanField
          label={t('summary.email')}
          descriptiveText={t('summary.emailHint')}
          type="email"
          autoComplete="email"
          value={draft.email}
          clean={(typed) => typed}
          onType={(email) => onChange((draft) => ({ ...draft, email }))}
          error={isEmailWrong ? t('invalid.SUMMARY_email') : undefined}
        />
      )}
      <PrivacyField
        url={privacy.enabled ? privacy.url : undefined}
        checked={draft.acceptsPrivacy}
        onChange={(acceptsPrivacy) => onChange((draft) => ({ ...draft, acceptsPrivacy }))}
      />
    </>
  )
}

function Part({ title, onEdit, children }: { title: string; onEdit: () => void; children: ReactNode }) {
  const { t } = useTranslation('publicReading')
  return (
    <section className="summary">
      <h3 className="wizard__label">{title}</h3>
      <Button variation="link" size="small" onClick={onEdit} aria-label={t('summary.editOf', { step: title })}>
        {t('summary.edit')}
      </Button>
      <dl className="summary__facts">{children}</dl>
    </section>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
