import { Button, CheckboxField, TextField } from '@aws-amplify/ui-react'
import { useId, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { changeRoles, invite } from '@/data/members.ts'
import type { Members, Role } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

interface Props {
  tenant: string
  /** Whose roles they are; none: of whoever is invited. */
  member?: Members['members'][number]
  /** The roles that the caller can give and take. */
  given: readonly Role[]
  onClose: () => void
  /** It is so; the address that was invited. */
  onDone: (email?: string) => void
}

/** What a browser takes for an address, too. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const ROLES = ['support', 'clerk', 'lead', 'privacy'] as const satisfies readonly Role[]

/** Which roles a member has, or somebody who is invited. */
export function RolesDialog({ tenant, member, given, onClose, onDone }: Props) {
  const { t } = useTranslation('members')
  const { t: desk } = useTranslation('desk')
  const problemText = useDeskProblemText()
  const form = useId()
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<readonly Role[]>(member?.roles ?? [])
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const address = email.trim()
  const isBad = !member && !ADDRESS.test(address)

  const save = async () => {
    setTried(true)
    setFailure(undefined)
    if (isBad || roles.length === 0) return
    setBusy(true)
    try {
      if (member) await changeRoles(tenant, member.id, roles)
      else await invite(tenant, address, roles)
      onDone(member ? undefined : address)
    } catch (caught) {
      setFailure(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={member ? t('changeTitle', { name: member.name || t('nameless') }) : t('inviteTitle')}
      isLocked={isBusy}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={form} variation="primary" isLoading={isBusy}>
            {t(member ? 'save' : 'send')}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
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
        {failure !== undefined && (
          <Message type="error" role="alert">
            {problemText(failure)}
          </Message>
        )}
      </form>
    </Dialog>
  )
}
