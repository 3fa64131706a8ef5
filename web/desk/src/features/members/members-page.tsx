import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatDate, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { invite, removeMember, useMembers, withdrawInvitation } from '@/data/members.ts'
import type { Members, Role } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { RolesDialog } from './roles-dialog.tsx'

type Member = Members['members'][number]

/** Who works for the tenant, who is invited, and what each may do. */
export function MembersPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('members')
  const problemText = useDeskProblemText()
  const { found, error, reload } = useMembers(tenant)
  const [isInviting, setInviting] = useState(false)
  const [changed, setChanged] = useState<Member>()
  const [leaving, setLeaving] = useState<Member>()
  const [sentTo, setSentTo] = useState<string>()
  const [failure, setFailure] = useState<unknown>()

  const act = async (work: () => Promise<unknown>) => {
    setFailure(undefined)
    setSentTo(undefined)
    try {
      await work()
    } catch (caught) {
      setFailure(caught)
    }
    await reload()
  }
  const close = () => {
    setInviting(false)
    setChanged(undefined)
  }
  return (
    <Page
      title={t('title')}
      tools={
        <Button variation="primary" isDisabled={!found} onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      }
    >
      <div role="status">
        {sentTo !== undefined && <Message type="success">{t('sent', { email: sentTo })}</Message>}
      </div>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      {!found && <Pending error={error} retry={() => void reload()} />}
      {found && (
        <>
          <MemberTable members={found.members} onChange={setChanged} onRemove={setLeaving} />
          <h2>{t('invited')}</h2>
          <Invited
            invited={found.invited}
            onAgain={(email, roles) =>
              void act(async () => {
                await invite(tenant, email, roles)
                setSentTo(email)
              })
            }
            onWithdraw={(id) => void act(async () => withdrawInvitation(tenant, id))}
          />
        </>
      )}
      {(isInviting || changed) && found && (
        <RolesDialog
          tenant={tenant}
          {...(changed && { member: changed })}
          given={found.roles}
          onClose={close}
          onDone={(email) => {
            close()
            void act(async () => Promise.resolve(setSentTo(email)))
          }}
        />
      )}
      {leaving && (
        <LeaveDialog
          name={leaving.name || t('nameless')}
          onClose={() => setLeaving(undefined)}
          onRemove={() => {
            setLeaving(undefined)
            void act(async () => removeMember(tenant, leaving.id))
          }}
        />
      )}
    </Page>
  )
}

interface MemberTableProps {
  members: Members['members']
  onChange: (member: Member) => void
  onRemove: (member: Member) => void
}

function MemberTable({ members, onChange, onRemove }: MemberTableProps) {
  const { t } = useTranslation('members')
  return (
    <table className="stacks">
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col">{t('roles')}</th>
          <th scope="col">{t('loggedIn')}</th>
          <th scope="col">{t('since')}</th>
          <th scope="col">{t('act')}</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <td data-name={t('name')}>
              <strong>{member.name || t('nameless')}</strong> {member.isMe && t('me')}
              {member.email && <small className="soft"> {member.email}</small>}
            </td>
            <td data-name={t('roles')}>
              <Roles roles={member.roles} />
            </td>
            <td data-name={t('loggedIn')}>{member.loggedInAt ? formatInstant(member.loggedInAt) : t('never')}</td>
            <td data-name={t('since')}>{t('sinceBy', { date: formatDate(member.since), by: member.invitedBy })}</td>
            <td data-name={t('act')}>
              {!member.isMe && (
                <>
                  <Button size="small" onClick={() => onChange(member)}>
                    {t('change')}
                  </Button>{' '}
                  <Button size="small" onClick={() => onRemove(member)}>
                    {t('remove')}
                  </Button>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface InvitedProps {
  invited: Members['invited']
  onAgain: (email: string, roles: readonly Role[]) => void
  onWithdraw: (id: string) => void
}

function Invited({ invited, onAgain, onWithdraw }: InvitedProps) {
  const { t } = useTranslation('members')
  if (invited.length === 0) return <p>{t('noneInvited')}</p>
  return (
    <table className="stacks">
      <thead>
        <tr>
          <th scope="col">{t('email')}</th>
          <th scope="col">{t('roles')}</th>
          <th scope="col">{t('by')}</th>
          <th scope="col">{t('until')}</th>
          <th scope="col">{t('act')}</th>
        </tr>
      </thead>
      <tbody>
        {invited.map(({ id, email, roles, invitedBy, expiresAt }) => (
          <tr key={id}>
            <td data-name={t('email')}>{email}</td>
            <td data-name={t('roles')}>
              <Roles roles={roles} />
            </td>
            <td data-name={t('by')}>{invitedBy}</td>
            <td data-name={t('until')}>{formatInstant(expiresAt)}</td>
            <td data-name={t('act')}>
              <Button size="small" onClick={() => onAgain(email, roles)}>
                {t('again')}
              </Button>{' '}
              <Button size="small" onClick={() => onWithdraw(id)}>
                {t('withdraw')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Roles({ roles }: { roles: readonly Role[] }) {
  const { t } = useTranslation('desk')
  return roles.map((role) => t(`role.${role}`)).join(', ')
}

interface LeaveDialogProps {
  name: string
  onClose: () => void
  onRemove: () => void
}

function LeaveDialog({ name, onClose, onRemove }: LeaveDialogProps) {
  const { t } = useTranslation('members')
  return (
    <Dialog
      open
      title={t('removeTitle', { name })}
      onClose={onClose}
      actions={
        <>
          <Button variation="destructive" onClick={onRemove}>
            {t('removeNow')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
        </>
      }
    >
      <p>{t('removeText', { name })}</p>
    </Dialog>
  )
}
