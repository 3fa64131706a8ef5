import { CheckboxField, TextField } from '@aws-amplify/ui-react'
import { useId, useState } from 'react'
import { formatDate } from '@shared/i18n/format.ts'
import { translatedRateName } from '@shared/i18n/rate-name.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isFeedIn, rateUnit } from '@shared/rules/obis.ts'
import { MAX_IMAGES, visitorReadingDates } from '@shared/rules/visitor-reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { CounterField } from '@/components/counter/counter-field.tsx'
import { labelKey } from '@/components/counter/label-key.ts'
import { PhotoField } from '@/components/photos/photo-field.tsx'
import { askedDecimals, hasOptionalDecimals, type Rate, rateDraft, ratesOf, selectedRates } from './draft.ts'
import type { StepProps } from './step.ts'

interface Props extends StepProps {
  readonly today: IsoDate
  /** Photos of a rate are being prepared, or are no more. */
  readonly onPreparing: (isPreparing: boolean) => void
}

/** The values, their photos, and the day. */
export function ReadingStep({ config, draft, onChange, findings, today, onPreparing }: Props) {
  const { t } = useTranslation('publicReading')
  const rates = ratesOf(config, draft)
  const selected = selectedRates(config, draft)
  const [first, last] = visitorReadingDates(config, today)
  const dateId = useId()
  const onDate = findings.find(({ field }) => field === 'readingDate')
  const rateText = useRateText()

  return (
    <>
      {rates.some(({ isRequired }) => !isRequired) && (
        <fieldset className="wizard__group">
          <legend>{t('reading.rates')}</legend>
          {rates.map((rate) => (
            <CheckboxField
              key={rate.obis}
              name="rates"
              value={rate.obis}
              label={rateText(rate)}
              checked={draft.selected.includes(rate.obis)}
              isDisabled={rate.isRequired}
              onChange={(event) => {
                const { checked } = event.target
                onChange((draft) => {
                  const others = draft.selected.filter((obis) => obis !== rate.obis)
                  return { ...draft, selected: checked ? [...others, rate.obis] : others }
                })
              }}
            />
          ))}
        </fieldset>
      )}
      {selected.some(hasOptionalDecimals) && (
        <CheckboxField
          name="withDecimals"
          label={t('reading.decimals')}
          checked={draft.withDecimals}
          onChange={(event) => {
            const withDecimals = event.target.checked
            onChange((draft) => ({ ...draft, withDecimals }))
          }}
        />
      )}
      {selected.map((rate) => (
        <RateField
          key={rate.obis}
          rate={rate}
          config={config}
          draft={draft}
          onChange={onChange}
          findings={findings}
          onPreparing={onPreparing}
        />
      ))}
      <div className="wizard__date">
        <TextField
          id={dateId}
          type="date"
          label={t('reading.date')}
          descriptiveText={t('reading.dateRange', { first: formatDate(first), last: formatDate(last) })}
          value={draft.readingDate ?? today}
          min={first}
          max={last}
          isRequired
          hasError={onDate !== undefined}
          errorMessage={t('reading.dateInvalid')}
          onChange={(event) => {
            const readingDate = event.target.value
            onChange((draft) => ({ ...draft, readingDate }))
          }}
        />
      </div>
    </>
  )
}

/** The name of a rate, and how it is written on the meter. */
export function useRateText(): (rate: { rateName: string; obisLabel: string }) => string {
  const { t } = useTranslation()
  return ({ rateName, obisLabel }) => `${translatedRateName(rateName, t) ?? ''} ${obisLabel}`.trim()
}

function RateField({ rate, config, draft, onChange, findings, onPreparing }: Omit<Props, 'today'> & { rate: Rate }) {
  const { t } = useTranslation('publicReading')
  const { t: readingText } = useTranslation('reading')
  const labelId = useId()
  const errorId = useId()
  const [wasLeft, setLeft] = useState(false)
  const { entry, photos } = rateDraft(draft, rate.obis)
  const post = askedDecimals(rate, draft)
  const rateText = useRateText()(rate)
  const label = `${readingText(labelKey({ isFeedIn: isFeedIn(rate.obis), name: rateText }))} ${rateText}`
  const onValue = findings.find(({ field }) => field === `rate.${rate.obis}`)
  const isTooLong = onValue?.code === 'PRE_DECIMALS'
  const isInexact = wasLeft && onValue?.code === 'DECIMALS_EXACT'
  const hasTooMany = photos.length > 0 && findings.some(({ code }) => code === 'IMAGE_TOO_MANY')
  const others = selectedRates(config, draft)
    .filter(({ obis }) => obis !== rate.obis)
    .reduce((count, { obis }) => count + rateDraft(draft, obis).photos.length, 0)
  const most = MAX_IMAGES - others

  const change = (change: (before: ReturnType<typeof rateDraft>) => ReturnType<typeof rateDraft>) =>
    onChange((draft) => ({
      ...draft,
      rates: { ...draft.rates, [rate.obis]: change(rateDraft(draft, rate.obis)) },
    }))

  return (
    <div className="wizard__rate" onBlur={() => setLeft(entry.pre !== '' || entry.post !== '')}>
      <h3 id={labelId} className="wizard__label">
        {label}
      </h3>
      <CounterField
        entry={entry}
        onChange={(step) => change((before) => ({ ...before, entry: step(before.entry) }))}
        digits={{ pre: rate.reading.preDecimals, post }}
        masked={0}
        hidden={post === 0 && rate.reading.postDecimals > 0}
        exactly={post > 0 ? post : undefined}
        label={label}
        labelId={labelId}
        unit={rateUnit(rate)}
        describedBy={errorId}
        invalid={isTooLong ? 'value' : isInexact ? 'decimals' : undefined}
        onLeave={() => setLeft(true)}
      />
      <p id={errorId} role="status" className="wizard__error">
        {isTooLong && readingText('refusal.tooMany', { count: rate.reading.preDecimals })}
        {isInexact && readingText('finding.DECIMALS_EXACT', { count: post })}
      </p>
      {rate.reading.isReadingImageAllowed && (
        <div className="wizard__photos">
          <h4 className="wizard__label">
            {rate.reading.isReadingImageRequired
              ? t('reading.photosRequired', { count: MAX_IMAGES })
              : t('reading.photosOptional', { count: MAX_IMAGES })}
          </h4>
          <PhotoField
            label={readingText('photos.labelOf', { rate: rateText })}
            most={most}
            photos={photos}
            onChange={(step) => change((before) => ({ ...before, photos: step(before.photos) }))}
            onPreparing={onPreparing}
            error={hasTooMany ? readingText('finding.IMAGE_TOO_MANY', { count: MAX_IMAGES }) : undefined}
          />
        </div>
      )}
    </div>
  )
}
