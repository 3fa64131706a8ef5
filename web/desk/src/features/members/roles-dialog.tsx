import { CheckboxField, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isEmail } from '@shared/rules/email.ts'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { changeRoles, invite } from '@/data/members.ts'
import type { Members, Role } from '@/data/types.ts'

interface Props {
  tenant: string
  /** The member with these roles; none: an invited person. */
  member?: Members['members'][number]
  /** The roles that the caller can give and take. */
  given: readonly Role[]
  /** Looks at the members again. */
  reload: () => Promise<Members | undefined>
  onClose: () => void
  /** It is so; the address that was invited, and the link if its mail did not go out. */
  onDone: (email?: string, link?: string) => void
}

const ROLES = ['support', 'clerk', 'lead', 'privacy'] as const satisfies readonly Role[]

/** Another member changed the roles since they were shown. */
const isOvertaken = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'conflict'

/** No mail can go to the address of the invited person. */
export const isMailRefused = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.code === 'mail-refused'

/** The roles of a member, or of an invited person. */
export function RolesDialog({ tenant, member, given, reload, onClose, onDone }: Props) {
  const { t } = useTranslation('members')
  const { t: desk } = useTranslation('desk')
  const [email, setEmail] = useState('')
  /** What the boxes began with. */
  const [seen, setSeen] = useState<readonly Role[]>(member?.roles ?? [])
  const [roles, setRoles] = useState(seen)
  const [isTried, setTried] = useState(false)
  const address = email.trim()
  const isBad = !member && !isEmail(address)
  return (
    <AskDialog
      title={member ? t('changeTitle', { name: member.name || t('nameless') }) : t('inviteTitle')}
      go={t(member ? 'save' : 'send')}
      check={() => {
        setTried(true)
        return !isBad && roles.length > 0
      }}
      work={async () => {
        if (!member) {
          onDone(address, await invite(tenant, address, roles))
          return
        }
        try {
          await changeRoles(tenant, member.id, seen, roles)
        } catch (caught) {
          const now = isOvertaken(caught) ? (await reload())?.members.find(({ id }) => id === member.id) : undefined
          if (now) {
            setSeen(now.roles)
            setRoles(now.roles)
          }
          throw caught
        }
        onDone()
      }}
      told={(failure) => {
        if (isOvertaken(failure)) return t('overtaken')
        return isMailRefused(failure) ? t('notSent') : undefined
      }}
      onClose={onClose}
    >
      <p>{t(member ? 'changeText' : 'inviteText')}</p>
      {!member && (
        <TextField
          name="email"
          type="email"
          label={t('email')}
          autoComplete="off"
          value={email}
          hasError={isTried && isBad}
          errorMessage={t('badEmail')}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
      <fieldset className="fields">
        <legend>{t('roles')}</legend>
        {ROLES.map((role) => (
          <CheckboxField
            key={role}
            name={role}
            value={role}
            checked={roles.includes(role)}
            isDisabled={!given.includes(role)}
            label={`${desk(`role.${role}`)}: ${given.includes(role) ? t(`may.${role}`) : t('beyond')}`}
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
