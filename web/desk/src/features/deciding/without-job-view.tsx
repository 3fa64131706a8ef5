import { Link } from 'wouter'
import { formatDate, formatInstant, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Photo } from '@/components/photo.tsx'
import { placeLine } from '@/components/place.ts'
import { useByName } from '@/components/use-by-name.ts'
import { paths } from '@/data/paths.ts'
import { SuggestionLine } from './suggestion-line.tsx'
import type { CaseWithoutJob } from './use-queue.ts'
import { valuesLine } from './values-line.ts'

/** A reading that came without a job: what was read, who says so, its photos, and the jobs that it may belong to. */
export function WithoutJobView({ tenant, item }: { tenant: string; item: CaseWithoutJob }) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const { byWhom } = useByName()
  const { t: common } = useTranslation()
  const { read, suggestions, email } = item
  const { contact, sender, readingReason, comment, aside } = read
  const images = read.values.flatMap(({ images, value }) => images.map((image) => ({ image, value })))
  return (
    <div className="case">
      <section className="card" aria-label={t('reading')}>
        <h2>
          {read.meterType && common(`meterType.${read.meterType}`)}{' '}
          <span className="identifier">{read.meterNumber}</span>
        </h2>
        <p className="case__value figures">{valuesLine(read)}</p>
        <p>
          {formatDate(read.readingDate)} · {t(sender ? 'byCustomer' : 'byVisitor')} ·{' '}
          {t('came', { when: formatInstant(read.created) })}
        </p>
        <p>
          <strong>{parts('doubt.WITHOUT_JOB')}</strong>
          {read.exports.length > 0 && ` · ${t('inTable', { numbers: read.exports.join(', ') })}`}
        </p>
        {readingReason && <p>{parts('readingReason.label', { reason: parts(`readingReason.${readingReason}`) })}</p>}
        {comment && <blockquote>{comment}</blockquote>}
        {aside && (
          <p>
            {t('asideBy', { by: byWhom(aside.by) })} {aside.note}
          </p>
        )}
        <p className="soft">
          {sender && <Link href={paths.customer(tenant, sender)}>{t('sender')}</Link>}
          {contact &&
            `${contact.firstname} ${contact.lastname} · ${placeLine({ street: contact.street, houseNumber: contact.houseNumber, postcode: contact.zip, city: contact.city })}`}
          {email && (
            <>
              {' · '}
              <a href={`mailto:${email}`}>{email}</a>
            </>
          )}
        </p>
      </section>
      <section className="card" aria-label={t('photos')}>
        {images.length === 0 && <p className="soft">{t('noPhoto')}</p>}
        {images.map(({ image, value }, index) => (
          <Photo
            key={image}
            tenant={tenant}
            job={item.job}
            reading={item.reading}
            image={image}
            label={parts('photo.of', {
              number: index + 1,
              value: formatValue(value),
              day: formatDate(read.readingDate),
            })}
          />
        ))}
      </section>
      <section className="card" aria-label={t('suggestions')}>
        <h2>{t('suggestions')}</h2>
        {suggestions.length === 0 && <p className="soft">{t('noSuggestion')}</p>}
        <ul className="plain suggestions">
          {suggestions.map((suggestion) => (
            <li key={suggestion.job}>
              <SuggestionLine suggestion={suggestion} />{' '}
              <Link href={paths.customer(tenant, suggestion.account)}>{t('toCustomer')}</Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
