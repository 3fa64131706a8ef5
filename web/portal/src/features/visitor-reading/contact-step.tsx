import { Radio, RadioGroupField } from '@aws-amplify/ui-react'
import { currentLanguage, locale } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { CONTACT_LENGTHS, type Contact, cleanContact } from '@shared/rules/visitor-reading.ts'
import { CleanField } from './clean-field.tsx'
import type { Config, Reason } from './draft.ts'
import type { StepProps } from './step.ts'

export const CONTACT_FIELDS = [
  { field: 'firstname', autoComplete: 'given-name' },
  { field: 'lastname', autoComplete: 'family-name' },
  { field: 'street', autoComplete: 'address-line1' },
  // No browser knows it apart from the street.
  { field: 'houseNumber', autoComplete: 'off' },
  { field: 'zip', autoComplete: 'postal-code', inputMode: 'numeric' },
  { field: 'city', autoComplete: 'address-level2' },
] as const satisfies { field: keyof Contact; autoComplete: string; inputMode?: 'numeric' }[]

/** Who has read the meter, where, and why. */
export function ContactStep({ config, draft, onChange, findings }: StepProps) {
  const { t } = useTranslation('publicReading')

  function errorOf(field: keyof Contact): string | undefined {
    const finding = findings.find((finding) => finding.field === `contact.${field}`)
    return (
      finding &&
      (finding.code === 'LENGTH_EXACT' ? t('contact.zipLength', { count: CONTACT_LENGTHS.zip }) : t('contact.faulty'))
    )
  }

  function enter(field: keyof Contact, value: string) {
    onChange((draft) => {
      const contact = { ...draft.contact, [field]: value }
      return { ...draft, contact: field === 'street' ? withHouseNumber(contact, draft.contact.street) : contact }
    })
  }

  return (
    <>
      <div className="contact">
        {CONTACT_FIELDS.map(({ field, ...attributes }) => (
          <CleanField
            key={field}
            label={t(`contact.${field}`)}
            className={`contact__${field}`}
            value={draft.contact[field]}
            clean={(typed) => cleanContact(field, typed)}
            onType={(value) => enter(field, value)}
            error={errorOf(field)}
            isRequired
            {...attributes}
          />
        ))}
      </div>
      <RadioGroupField
        legend={t('contact.reason')}
        name="readingReason"
        className="choices choices--wide"
        value={draft.readingReason ?? ''}
        onChange={(event) => onChange((draft) => ({ ...draft, readingReason: event.target.value as Reason }))}
      >
        {config.readingReasons.map((reason) => {
          const { label, hint } = reasonText(reason)
          return (
            <Radio key={reason.value} value={reason.value}>
              <span className="choices__name">{label}</span>
              {hint && reason.value === draft.readingReason && <span className="choices__hint">{hint}</span>}
            </Radio>
          )
        })}
      </RadioGroupField>
    </>
  )
}

/** A street with what stands behind it: `Lindenweg 12 a`. */
const STREET_AND_NUMBER = /^(.*\p{L}.*?)\s+(\d{1,4}(?:[/-]\d{1,3})?\s?[a-z]?)\s*$/iu

/** The contact with the house number in its own field, if the browser has put it behind the street; `typed` stood there before. */
function withHouseNumber(contact: Contact, typed: string): Contact {
  const [, street, houseNumber] = STREET_AND_NUMBER.exec(contact.street) ?? []
  // `12 - 14` and `5 Whg 3` are more than one number: who lives there says which is which.
  const isWhole = street !== undefined && street.length > 1 && !/\s\d+\w*(\s|$)/.test(street)
  // Nobody types the end of a street and its number at once, not by whole words either: there are streets with a number for a name.
  const isFilledIn = isWhole && typed.trim().length < street.length && !/\d/.test(typed)
  return isFilledIn && houseNumber && contact.houseNumber === '' ? { ...contact, street, houseNumber } : contact
}

/** A reason in the language of the screen, which is German or English. */
export function reasonText(reason: Config['readingReasons'][number]): {
  label: string
  hint: string | null | undefined
} {
  return locale(currentLanguage()) === 'en'
    ? { label: reason.labelEN, hint: reason.hintEN }
    : { label: reason.labelDE, hint: reason.hintDE }
}
