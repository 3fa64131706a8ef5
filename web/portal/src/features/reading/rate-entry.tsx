import { Button, Radio, RadioGroupField } from '@aws-amplify/ui-react'
import { useId, useRef } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { Trans, useTranslation } from '@shared/i18n/react.tsx'
import { type Finding, type LowerReason, MAX_IMAGES, rolloverConsumption } from '@shared/rules/reading.ts'
import type { MeterValue } from '@shared/rules/value.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { Message } from '@shared/ui/message.tsx'
import { CounterField } from '@/components/counter/counter-field.tsx'
import { EMPTY, valueOf } from '@/components/counter/entry.ts'
import { labelKey } from '@/components/counter/label-key.ts'
import { PhotoField } from '@/components/photos/photo-field.tsx'
import type { Photo } from '@/device/photo.ts'
import type { RateDraft } from './draft.ts'
import { useFindingText } from './finding-text.ts'
import { consumptionSince, type Rate, usedWithUnit, withUnit } from './rate.ts'
import { isLower, isUnexpected, Unexpected } from './unexpected.tsx'
import { WhomToCall } from './whom-to-call.tsx'

interface Props {
  readonly job: Job
  readonly rate: Rate
  readonly draft: RateDraft
  readonly readingDate: IsoDate
  readonly onChange: (change: (draft: RateDraft) => RateDraft) => void
  /** The remarks on this rate; empty while the reader is still typing. */
  readonly findings: readonly Finding[]
  /** The reader has paused or left the field, so that it may be commented on. */
  readonly isSettled: boolean
  /** The reader has left the value by a key. */
  readonly onLeave: () => void
  /** Called with a photo that was taken, where it may be read. */
  readonly onPhoto: ((photo: Photo) => void) | undefined
  /** Called when photos that were picked begin to be prepared, and when they are there. */
  readonly onPreparing: (isPreparing: boolean) => void
  /** The counter is being looked for in a photo. */
  readonly isLooking: boolean
  /** It must be said here that photos are read. */
  readonly hasPhotoNote: boolean
  /** A fault of the photos that the server named. */
  readonly photoError: string | undefined
}

/** The entry of one rate: its value, what is remarked on it, its photos (L4, L5). */
export function RateEntry({
  job,
  rate,
  draft,
  readingDate,
  onChange,
  findings,
  isSettled,
  onLeave,
  onPhoto,
  onPreparing,
  isLooking,
  hasPhotoNote,
  photoError,
}: Props) {
  const { t } = useTranslation('reading')
  const findingText = useFindingText()
  const labelId = useId()
  const lastId = useId()
  const feedbackId = useId()
  const group = useRef<HTMLDivElement>(null)
  const { features, meterReading } = job.config

  const onValue = findings.filter(({ field }) => field === 'readingValue')
  const lower = onValue.find(isLower)
  // D-READING-17: the question says what is unusual; only what it cannot settle is said beside it.
  const messages = lower ? onValue.filter(({ severity }) => severity === 'error') : onValue
  const isMistyped = onValue.some(({ code }) => code === 'PRE_DECIMALS' || code === 'DECIMALS_EXACT')
  const onPhotos = findings.find(({ code }) => code === 'IMAGE_TOO_MANY' || code === 'IMAGE_FORBIDDEN')
  const label = t(labelKey(rate))
  const value = valueOf(draft.entry)
  const masked = meterReading.maskPostDecimals ? (rate.task.postDecimals ?? 0) : 0

  return (
    <div className="rate" ref={group} data-task={rate.task.taskId}>
      <h3 className="rate__label" id={labelId}>
        {label}
        {rate.name && <span className="rate__name"> {rate.name}</span>}
      </h3>
      <LastReading id={lastId} rate={rate} />
      <CounterField
        entry={draft.entry}
        onChange={(change) => onChange((before) => withEntry(change(before.entry), before))}
        digits={rate.digits}
        hasTheseDigits
        masked={masked}
        hidden={rate.digits.post === 0 && rate.task.postDecimals !== 0}
        exactly={rate.digits.post > 0 ? (rate.task.postDecimals ?? undefined) : undefined}
        label={rate.name ? `${label} ${rate.name}` : label}
        labelId={labelId}
        unit={rate.unit}
        describedBy={`${lastId} ${feedbackId}`}
        invalid={invalidPart(onValue)}
        onLeave={onLeave}
      />
      <div id={feedbackId} role="status" className="rate__feedback">
        {isLooking && value === undefined && <p className="rate__looking">{t('photoReading.busy')}</p>}
        {value !== undefined && value === draft.proposed && (
          <Message type="info" title={t('photoReading.title')}>
            <p>{t('photoReading.text')}</p>
          </Message>
        )}
        {messages.map((finding) => (
          <Message key={finding.code} type={finding.severity}>
            <p>
              {findingText(finding)} {isRange(finding) && <ExpectedRange rate={rate} />}
              {isUnexpected(finding) && (
                <>
                  <Unexpected job={job} rate={rate} draft={draft} readingDate={readingDate} /> {t('expected.check')}
                </>
              )}
            </p>
            {isRange(finding) && finding.severity === 'error' && <WhomToCall />}
          </Message>
        ))}
        {isSettled && !isMistyped && value !== undefined && !onValue.some(isUnexpected) && (
          <Consumption rate={rate} value={value} />
        )}
        {lower && <p className="visually-hidden">{findingText(lower)}</p>}
      </div>
      {lower?.limit !== undefined && value !== undefined && (
        <LowerQuestion
          rate={rate}
          last={lower.limit}
          value={value}
          date={(lower.code === 'CONTINUITY_LOWER' ? rate.result : rate.event)?.readingDate ?? ''}
          reason={draft.lowerReason}
          onReason={(lowerReason) => onChange((draft) => ({ ...draft, lowerReason }))}
          onTypo={() => {
            onChange(({ photos }) => ({ entry: EMPTY, photos }))
            group.current?.querySelector('input')?.focus()
          }}
        />
      )}
      {!features.imagesForbidden && (
        <div className="rate__photos">
          <h4 className="rate__photos-label">
            {t(features.imageAlwaysRequired ? 'photos.required' : 'photos.optional', { count: MAX_IMAGES })}
          </h4>
          <PhotoField
            label={rate.name ? t('photos.labelOf', { rate: rate.name }) : t('photos.label')}
            most={MAX_IMAGES}
            photos={draft.photos}
            onChange={(change) => onChange((draft) => ({ ...draft, photos: change(draft.photos) }))}
            onTaken={onPhoto}
            onPreparing={onPreparing}
            error={photoError ?? (onPhotos && findingText(onPhotos))}
          />
          {hasPhotoNote && <p className="rate__photos-note">{t('photoReading.note')}</p>}
        </div>
      )}
    </div>
  )
}

/** Where the errors of a value are. */
function invalidPart(onValue: readonly Finding[]): 'decimals' | 'value' | undefined {
  const errors = onValue.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return undefined
  return errors.every(({ code }) => code === 'DECIMALS_EXACT') ? 'decimals' : 'value'
}

const isRange = ({ code }: Finding) => code === 'RANGE_BELOW' || code === 'RANGE_ABOVE'

/** The draft with another value; the answer to "why lower?" belongs to the value that it was given for, as does where it came from. */
function withEntry(entry: RateDraft['entry'], before: RateDraft): RateDraft {
  if (entry === before.entry) return before
  return valueOf(entry) === valueOf(before.entry) ? { ...before, entry } : { entry, photos: before.photos }
}

function LastReading({ id, rate }: { id: string; rate: Rate }) {
  const { t } = useTranslation('reading')
  const last = rate.result ?? rate.event
  return (
    <p id={id} className="rate__last figures">
      {last && (
        <Trans
          text={t(rate.result ? 'value.sent' : 'value.last', {
            value: withUnit(last.readingValue, rate),
            date: formatDate(last.readingDate),
          })}
          parts={{ strong: <strong /> }}
        />
      )}
    </p>
  )
}

/** What the value means: how much was used since the reading before. */
function Consumption({ rate, value }: { rate: Rate; value: MeterValue }) {
  const { t } = useTranslation('reading')
  const used = consumptionSince(rate, value)
  if (!rate.event || used === undefined) return null
  const date = formatDate(rate.event.readingDate)
  return (
    <p className="rate__consumption figures">
      {used === '0' ? (
        t('value.unchanged', { date })
      ) : (
        <Trans
          text={t(rate.isFeedIn ? 'value.consumptionFeedIn' : 'value.consumption', {
            value: usedWithUnit(used, rate),
            date,
          })}
          parts={{ strong: <strong /> }}
        />
      )}
    </p>
  )
}

function ExpectedRange({ rate }: { rate: Rate }) {
  const { t } = useTranslation('reading')
  const { minimumValue, maximumValue } = rate.task.readingValueValidation ?? {}
  const minimum = minimumValue && withUnit(minimumValue, rate)
  const maximum = maximumValue && withUnit(maximumValue, rate)
  const range =
    minimum && maximum
      ? t('expected.between', { minimum, maximum })
      : minimum
        ? t('expected.from', { minimum })
        : maximum && t('expected.until', { maximum })
  return (
    <>
      {range} {t('expected.check')}
    </>
  )
}

interface LowerQuestionProps {
  readonly rate: Rate
  readonly last: MeterValue
  readonly value: MeterValue
  readonly date: string
  readonly reason: LowerReason | undefined
  readonly onReason: (reason: LowerReason) => void
  readonly onTypo: () => void
}

/** A counter does not run backwards: new meter, rollover or typing error. */
function LowerQuestion({ rate, last, value, date, reason, onReason, onTypo }: LowerQuestionProps) {
  const { t } = useTranslation('reading')
  const rolled = rolloverConsumption(rate.task.preDecimals, last, value)
  return (
    <div className="rate__lower">
      <RadioGroupField
        legend={t('lower.question', { value: withUnit(last, rate), date: formatDate(date) })}
        name={`lower-${rate.task.taskId}`}
        value={reason ?? ''}
        onChange={(event) => onReason(event.target.value as LowerReason)}
      >
        <Radio value="METER_CHANGE">{t('lower.METER_CHANGE')}</Radio>
        <Radio value="ROLLOVER">
          {t('lower.ROLLOVER')}{' '}
          {rate.counts && (
            <span className="figures">
              {t(rate.isFeedIn ? 'lower.rolloverConsumptionFeedIn' : 'lower.rolloverConsumption', {
                value: usedWithUnit(rolled, rate),
              })}
            </span>
          )}
        </Radio>
      </RadioGroupField>
      <Button variation="link" onClick={onTypo}>
        {t('lower.TYPO')}
      </Button>
    </div>
  )
}
