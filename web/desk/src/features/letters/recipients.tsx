import { Radio, RadioGroupField, SelectField, TextAreaField } from '@aws-amplify/ui-react'
import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { UnknownFilters } from '@/components/filter.tsx'
import { OpenFilterFields } from '@/components/open-filter-fields.tsx'
import { paths } from '@/data/paths.ts'
import type { Letters } from '@/data/types.ts'
import { type Recipients, WHOM } from './use-recipients.ts'

interface Props {
  tenant: string
  recipients: Recipients
  seasons: Letters['seasons']
  /** The list of accounts was refused. */
  isOdd: boolean
}

/** Whom letters and invitations are about. */
export function RecipientsCard({ tenant, recipients, seasons, isOdd }: Props) {
  const { t } = useTranslation('letters')
  const { whom, chosen, values, unknown, set, list, setList } = recipients
  return (
    <section className="card fields" aria-labelledby="recipients">
      <h2 id="recipients">{t('recipients')}</h2>
      <UnknownFilters unknown={unknown} />
      <RadioGroupField
        name="whom"
        legend={t('whom')}
        value={whom}
        onChange={({ target }) => set('to', target.value === 'season' ? '' : target.value)}
      >
        {WHOM.map((one) => (
          <Radio key={one} value={one}>
            {t(one === 'season' && seasons.length === 0 ? 'whomOf.everybody' : `whomOf.${one}`)}
          </Radio>
        ))}
      </RadioGroupField>
      {whom !== 'open' && seasons.length > 0 && (
        <SelectField
          name="season"
          label={t('season')}
          value={values.season ?? ''}
          onChange={({ target }) => set('season', target.value)}
        >
          <option value="">{t('allSeasons')}</option>
          {seasons.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {whom === 'open' && <OpenFilterFields values={values} set={set} seasons={seasons} />}
      {chosen.filter && (
        <p className="soft">
          {t(chosen.filter.season ? 'openTextOfSeason' : 'openText')}{' '}
          <Link href={paths.open(tenant, chosen.filter)}>{t('toOpen')}</Link>
        </p>
      )}
      {whom === 'accounts' && (
        <TextAreaField
          name="accounts"
          label={t('accounts')}
          rows={4}
          autoComplete="off"
          value={list}
          hasError={isOdd}
          errorMessage={t('badAccounts')}
          onChange={({ target }) => setList(target.value)}
        />
      )}
    </section>
  )
}
