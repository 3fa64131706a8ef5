import { Button } from '@aws-amplify/ui-react'
import { Link } from 'wouter'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { paths, type SettingsPart } from '@/data/paths.ts'
import type { Settings } from '@/data/types.ts'
import { at, REHEARSAL } from './documents.ts'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'

type Step = NonNullable<Settings['opening']>[number]['step']

/** Where each step is done, on this page or another one; none: by those who run the product. */
const PLACES: Readonly<Record<Step, SettingsPart | 'members' | '#group-legal' | '#group-letters' | undefined>> = {
  IMPRINT: '#group-legal',
  PRIVACY: '#group-legal',
  ACCESSIBILITY: '#group-legal',
  CONTACT: 'contact',
  SENDER: undefined,
  LETTER_FOOTER: '#group-letters',
  ADDRESS: undefined,
  LEADS: 'members',
}

/** Whether the tenant is in rehearsal, what is missing before it leaves it, and the way in and out. */
export function Opening({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { tenant, fault, put } = useTenant(editing)
  const { opening, openingReadings } = editing.settings
  const isRehearsal = at(tenant, REHEARSAL) === true
  const wrong = fault(REHEARSAL)
  const missing = opening?.filter(({ isDone }) => !isDone) ?? []
  return (
    <section className="card fields" aria-labelledby="opening">
      <h2 id="opening">{isRehearsal ? t('rehearsal') : t('operation')}</h2>
      <p className="soft">{isRehearsal ? t('rehearsalText') : t('operationText')}</p>
      {opening && (
        <ul className="plain">
          {opening.map(({ step, isDone }) => (
            <li key={step}>
              {isDone ? t('stepDone', { step: t(`step.${step}`) }) : t('stepMissing', { step: t(`step.${step}`) })}{' '}
              {!isDone && <Way tenant={editing.tenant} step={step} />}
            </li>
          ))}
        </ul>
      )}
      {Boolean(openingReadings) && (
        <p>
          {t('openingReadings', { count: openingReadings ?? 0, number: formatCount(openingReadings ?? 0) })}{' '}
          <Link href={paths.readings(editing.tenant)}>{t('toReadings')}</Link>
        </p>
      )}
      {wrong !== undefined && <p className="amplify-field__error-message">{wrong}</p>}
      <div className="row-of">
        {isRehearsal ? (
          <Button isDisabled={missing.length > 0} onClick={() => void put(REHEARSAL, () => undefined)}>
            {t('open')}
          </Button>
        ) : (
          <Button onClick={() => void put(REHEARSAL, () => true)}>{t('rehearse')}</Button>
        )}
      </div>
      {isRehearsal && missing.length > 0 && <p>{t('openLater')}</p>}
    </section>
  )
}

function Way({ tenant, step }: { tenant: string; step: Step }) {
  const { t } = useTranslation('settings')
  const place = PLACES[step]
  if (place === undefined) return <span className="soft">{t('byPlatform')}</span>
  if (place === '#group-legal' || place === '#group-letters') return <a href={place}>{t('below')}</a>
  const href = place === 'members' ? paths.area(tenant, place) : paths.settings(tenant, place)
  return <Link href={href}>{place === 'members' ? t('toMembers') : t('toPart', { part: t(`part.${place}`) })}</Link>
}
