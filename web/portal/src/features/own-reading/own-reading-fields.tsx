import { SelectField, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { useId } from 'react'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { MAX_COMMENT } from '@shared/rules/reading.ts'
import {
  cleanMeterNumber,
  MAX_IMAGES,
  OWN_POST_DECIMALS,
  OWN_PRE_DECIMALS,
  ownReadingDates,
} from '@shared/rules/visitor-reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { useSessions } from '@/auth/sessions.ts'
import { CounterField } from '@/components/counter/counter-field.tsx'
import { PhotoField } from '@/components/photos/photo-field.tsx'
import { useApplication } from '@/data/application.ts'
import { type Draft, dayOf, withEntry } from './draft.ts'

interface Props {
  readonly draft: Draft
  readonly setDraft: (change: (draft: Draft) => Draft) => void
  readonly today: IsoDate
  readonly isDisabled: boolean
  /** What is wrong with a field, in words. */
  readonly errorOf: (field: string) => string | undefined
  readonly photoError: string | undefined
  readonly onPreparing: (isPreparing: boolean) => void
}

/** Everything that is asked about a meter without a job (L5). */
export function OwnReadingFields({ draft, setDraft, today, isDisabled, errorOf, photoError, onPreparing }: Props) {
  const { t } = useTranslation('unknownReading')
  const sessions = useSessions()
  const { features, config } = useApplication()
  const { queryPostDecimals } = config.meterReading
  const isPhotoRequired = features.unknownReadingsImageRequired
  const [first, last] = ownReadingDates(today)
  const valueId = useId()
  const valueFaultId = useId()

  const field = (name: string) => {
    const errorMessage = errorOf(name)
    return { hasError: errorMessage !== undefined, errorMessage }
  }

  const change = (part: Partial<Draft>) => setDraft((draft) => ({ ...draft, ...part }))

  return (
    <fieldset className="own-reading__fields" disabled={isDisabled}>
      {sessions.length > 1 && (
        <SelectField
          label={t('account.label')}
          placeholder={t('account.choose')}
          value={draft.accountId}
          onChange={(event) => change({ accountId: event.target.value })}
          isRequired
          {...field('accountId')}
        >
          {sessions.map(({ accountId, info }) => (
            <option key={accountId} value={accountId}>
              {info.name}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        className="identifier"
        label={t('meterNumber.label')}
        descriptiveText={t('meterNumber.hint')}
        value={draft.meterNumber}
        onChange={(event) => change({ meterNumber: cleanMeterNumber(event.target.value) })}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        isRequired
        {...field('meterNumber')}
      />
      <div>
        <h2 id={valueId} className="own-reading__label">
          {t('value.label')}
        </h2>
        <CounterField
          entry={draft.entry}
          onChange={(change) => setDraft((draft) => withEntry(draft, change(draft.entry), today))}
          digits={{ pre: OWN_PRE_DECIMALS, post: queryPostDecimals ? OWN_POST_DECIMALS : 0 }}
          masked={0}
          hidden={!queryPostDecimals}
          exactly={undefined}
          label={t('value.label')}
          labelId={valueId}
          unit={undefined}
          describedBy={valueFaultId}
          invalid={errorOf('readingValue') === undefined ? undefined : 'value'}
          onLeave={() => undefined}
        />
        <p id={valueFaultId} role="status" className="own-reading__fault">
          {errorOf('readingValue')}
        </p>
      </div>
      <TextField
        type="date"
        label={t('date.label')}
        descriptiveText={t('date.hint', { first: formatDate(first), last: formatDate(last) })}
        value={dayOf(draft, today)}
        min={first}
        max={last}
        onChange={(event) => change({ date: event.target.value })}
        isRequired
        {...field('readingDate')}
      />
      <div data-invalid={photoError === undefined ? undefined : ''}>
        <h2 className="own-reading__label">
          {t(isPhotoRequired ? 'photos.required' : 'photos.optional', { count: MAX_IMAGES })}
        </h2>
        <PhotoField
          label={t('photos.label')}
          most={MAX_IMAGES}
          photos={draft.photos}
          onChange={(change) => setDraft((draft) => ({ ...draft, photos: change(draft.photos) }))}
          onPreparing={onPreparing}
          error={photoError}
        />
      </div>
      <TextAreaField
        label={t('comment.label')}
        descriptiveText={t('comment.hint', { max: MAX_COMMENT })}
        rows={3}
        value={draft.comment}
        onChange={(event) => change({ comment: event.target.value })}
        {...field('comment')}
      />
    </fieldset>
  )
}
