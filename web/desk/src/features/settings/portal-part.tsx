import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { at, type Json, languagesOf, objectOf, TENANT_FILE, word } from './documents.ts'
import { DraftChoice, DraftLine, DraftSwitch } from './draft-field.tsx'
import { GROUPS, type Path } from './groups.ts'
import { Opening } from './opening.tsx'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'

const NUMBERS: ReadonlySet<Path> = new Set<Path>([
  'config.meterReading.readingDateMaxDaysInPast',
  'config.meterReading.readingDateMaxDaysInFuture',
  'communicationSettings.accountRecipientsPerHour',
  'communicationSettings.tenantRecipientsPerDay',
  'desk.reminders.daysBefore',
  'desk.reminders.daysAfterOpening',
  'desk.reminders.daysBetween',
  'desk.reminders.atMost',
  'desk.imports.closedUnaskedPercent',
  'desk.limits.lettersPerDay',
  'desk.limits.invitationsPerDay',
  'retention.photoDays',
  'retention.commentDays',
  'retention.personalDataDays',
  'retention.auditDays',
])

/** The settings of the portal and of the work at the desk. */
export function PortalPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  if (!objectOf(editing.settings, TENANT_FILE))
    return <Message type="error">{t('unreadable', { file: TENANT_FILE })}</Message>
  return (
    <>
      <Opening editing={editing} />
      {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
        <section key={group} className="card fields" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{t(`group.${group}`)}</h2>
          {GROUPS[group].map((path) => (
            <Setting key={path} editing={editing} path={path} />
          ))}
        </section>
      ))}
      <p className="soft">{t('othersInFiles')}</p>
    </>
  )
}

function Setting({ editing, path }: { editing: Editing; path: Path }) {
  const { t } = useTranslation('settings')
  const { settings } = editing
  const { tenant, fault: faultAt, put: putAt } = useTenant(editing)
  const value = at(tenant, path)
  const label = t(`field.${path}`)
  const fault = faultAt(path)
  const put = async (wanted: Json | undefined) => putAt(path, () => wanted)

  if (typeof value === 'boolean')
    return <DraftSwitch name={path} label={label} isOn={value} save={(isOn) => void put(isOn)} />
  if (path === 'defaultLanguage')
    return (
      <DraftChoice
        name={path}
        label={label}
        value={word(value)}
        options={languagesOf(settings).map(({ name, readableName }) => ({ value: name, label: readableName }))}
        save={(language) => void put(language)}
      />
    )
  if (NUMBERS.has(path))
    return (
      <DraftLine
        name={path}
        label={label}
        type="number"
        isShort
        value={word(value)}
        fault={fault}
        // What is no number is kept as it is, and the fault says so.
        save={async (typed) => put(typed.trim() === '' ? null : Number.isNaN(Number(typed)) ? typed : Number(typed))}
      />
    )
  if (path === 'desk.letter.footer')
    return (
      <DraftLine
        name={path}
        label={label}
        description={t('footerText')}
        value={(Array.isArray(value) ? value : []).join(' | ')}
        fault={fault}
        save={async (typed) =>
          put(
            typed
              .split('|')
              .map((line) => line.trim())
              .filter(Boolean),
          )
        }
      />
    )
  return <DraftLine name={path} label={label} value={word(value)} fault={fault} save={put} />
}
