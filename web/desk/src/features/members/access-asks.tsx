import { Button, CheckboxField, SelectField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { giveAccess } from '@/data/platform.ts'
import type { Members, Role } from '@/data/types.ts'

type Ask = Members['asked'][number]

interface Props {
  tenant: string
  asked: readonly Ask[]
  /** The roles that the caller can give. */
  given: readonly Role[]
  onRefuse: (member: string) => void
  onDone: () => void
}

/** Who runs the product and asks to see what members see. */
export function AccessAsks({ tenant, asked, given, onRefuse, onDone }: Props) {
  const { t } = useTranslation('members')
  const [chosen, setChosen] = useState<Ask>()
  return (
    <>
      {asked.map((ask) => (
        <section key={ask.member} className="card">
          <h2>{t('ask.title', { by: ask.by })}</h2>
          <p>{t('ask.text', { by: ask.by, at: formatInstant(ask.at) })}</p>
          <blockquote className="quote">{ask.reason}</blockquote>
          <div className="row-of">
            <Button size="small" isDisabled={given.length === 0} onClick={() => setChosen(ask)}>
              {t('ask.give')}
            </Button>
            <Button size="small" onClick={() => onRefuse(ask.member)}>
              {t('ask.refuse')}
            </Button>
          </div>
        </section>
      ))}
      {chosen && (
        <AccessDialog
          tenant={tenant}
          ask={chosen}
          given={given}
          onClose={() => setChosen(undefined)}
          onDone={() => {
            setChosen(undefined)
            onDone()
          }}
        />
      )}
    </>
  )
}

const ROLES = ['support', 'clerk', 'lead', 'privacy'] as const satisfies readonly Role[]
const HOURS = [4, 24, 72, 168] as const

interface DialogProps {
  tenant: string
  ask: Ask
  given: readonly Role[]
  onClose: () => void
  onDone: () => void
}

function AccessDialog({ tenant, ask, given, onClose, onDone }: DialogProps) {
  const { t } = useTranslation('members')
  const { t: desk } = useTranslation('desk')
  const [roles, setRoles] = useState<readonly Role[]>([])
  const [hours, setHours] = useState<number>(HOURS[0])
  const [isTried, setTried] = useState(false)
  return (
    <AskDialog
      title={t('ask.giveTitle', { by: ask.by })}
      go={t('ask.giveNow')}
      check={() => {
        setTried(true)
        return roles.length > 0
      }}
      work={async () => {
        await giveAccess(tenant, ask.member, roles, hours)
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t('ask.giveText')}</p>
      <SelectField
        name="hours"
        label={t('ask.hours')}
        value={String(hours)}
        onChange={({ target }) => setHours(Number(target.value))}
      >
        {HOURS.map((count) => (
          <option key={count} value={count}>
            {t('ask.for', { count })}
          </option>
        ))}
      </SelectField>
      <fieldset className="fields">
        <legend>{t('roles')}</legend>
        {ROLES.filter((role) => given.includes(role)).map((role) => (
          <CheckboxField
            key={role}
            name={role}
            value={role}
            checked={roles.includes(role)}
            label={`${desk(`role.${role}`)}: ${t(`may.${role}`)}`}
            onChange={({ target }) =>
              setRoles(target.checked ? [...roles, role] : roles.filter((other) => other !== role))
            }
          />
        ))}
      </fieldset>
      {isTried && roles.length === 0 && (
        <Message type="error" role="alert">
          {t('noRoles')}
        </Message>
      )}
    </AskDialog>
  )
}
