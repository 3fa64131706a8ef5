import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatDayOf, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { HandedLink } from '@/components/handed-link.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { invite, relogin, removeMember, useMembers, withdrawInvitation } from '@/data/members.ts'
import { refuseAccess } from '@/data/platform.ts'
import type { Members, Role } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { AccessAsks } from './access-asks.tsx'
import { ReloginDialog } from './relogin-dialog.tsx'
import { isMailRefused, RolesDialog } from './roles-dialog.tsx'

type Member = Members['members'][number]

/** Another member took the invitation back, or replaced it, since it was shown. */
const isGone = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'conflict'

/** Who works for the tenant, who is invited, and what each may do. */
export function MembersPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('members')
  const problemText = useDeskProblemText()
  const { found, error, reload } = useMembers(tenant)
  const [isInviting, setInviting] = useState(false)
  const [changed, setChanged] = useState<Member>()
  const [leaving, setLeaving] = useState<Member>()
  const [moved, setMoved] = useState<Member>()
  const [sentTo, setSentTo] = useState<string>()
  const [byHand, setByHand] = useState<{ email: string; link: string }>()
  const [failure, setFailure] = useState<unknown>()
  /** Of what something is being done: a second press would send a second invitation. */
  const [busy, setBusy] = useState<string>()

  const act = async (of: string, work: () => Promise<unknown>) => {
    if (busy !== undefined) return
    setBusy(of)
    setFailure(undefined)
    setSentTo(undefined)
    try {
      await work()
    } catch (caught) {
      setFailure(caught)
    }
    await reload()
    setBusy(undefined)
  }
  const toldOf = (caught: unknown) => {
    if (isGone(caught)) return t('againGone')
    return isMailRefused(caught) ? t('notSent') : problemText(caught)
  }
  const nameOf = ({ name }: Member) => name || t('nameless')
  const close = () => {
    setInviting(false)
    setChanged(undefined)
    setMoved(undefined)
  }
  const tell = (email?: string, link?: string) => {
    if (email !== undefined && link !== undefined) setByHand({ email, link })
    else setSentTo(email)
  }
  const hasSent = (email?: string, link?: string) => {
    close()
    setFailure(undefined)
    setSentTo(undefined)
    tell(email, link)
    void reload()
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
          {toldOf(failure)}
        </Message>
      )}
      {!found && <Pending error={error} retry={() => void reload()} />}
      {found && (
        <>
          <AccessAsks
            tenant={tenant}
            asked={found.asked}
            given={found.roles}
            onRefuse={(member) => void act(member, async () => refuseAccess(tenant, member))}
            onDone={() => void reload()}
          />
          <MemberTable members={found.members} onChange={setChanged} onMove={setMoved} onRemove={setLeaving} />
          <h2>{t('invited')}</h2>
          <Invited
            invited={found.invited}
            busy={busy}
            members={found.members}
            onAgain={({ id, email, roles, member }) =>
              void act(id, async () =>
                tell(email, member ? await relogin(tenant, member, id) : await invite(tenant, email, roles, id)),
              )
            }
            onWithdraw={(id) => void act(id, async () => withdrawInvitation(tenant, id))}
          />
        </>
      )}
      {(isInviting || changed) && found && (
        <RolesDialog
          tenant={tenant}
          {...(changed && { member: changed })}
          given={found.roles}
          reload={reload}
          onClose={close}
          onDone={hasSent}
        />
      )}
      {moved && found && (
        <ReloginDialog tenant={tenant} member={moved} given={found.roles} onClose={close} onDone={hasSent} />
      )}
      {byHand && <HandedLink {...byHand} onClose={() => setByHand(undefined)} />}
      {leaving && (
        <AskDialog
          title={t('removeTitle', { name: nameOf(leaving) })}
          go={t('removeNow')}
          isDestructive
          work={async () => {
            await removeMember(tenant, leaving.id)
            setLeaving(undefined)
            await reload()
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{t('removeText', { name: nameOf(leaving) })}</p>
        </AskDialog>
      )}
    </Page>
  )
}

interface MemberTableProps {
  members: Members['members']
  onChange: (member: Member) => void
  onMove: (member: Member) => void
  onRemove: (member: Member) => void
}

function MemberTable({ members, onChange, onMove, onRemove }: MemberTableProps) {
  const { t } = useTranslation('members')
  const { byWhom } = useByName()
  const named = (act: string, { name, email, id }: Member) => `${act}: ${name || email || id}`
  return (
    <table className="stacks">
      <Heads names={[t('name'), t('roles'), t('loggedIn'), t('since'), t('act')]} />
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <th scope="row" data-name={t('name')} className="address">
              <strong>{member.name || t('nameless')}</strong> {member.isMe && t('me')}
              {member.email && (
                <p>
                  <small className="soft">{member.email}</small>
                </p>
              )}
              {member.isLockedOut && <p className="soft">{t('lockedOut')}</p>}
            </th>
            <td data-name={t('roles')}>
              <Roles roles={member.roles} />
            </td>
            <td data-name={t('loggedIn')}>{member.loggedInAt ? formatInstant(member.loggedInAt) : t('never')}</td>
            <td data-name={t('since')}>
              {t('sinceBy', { date: formatDayOf(member.since), by: byWhom(member.invitedBy) })}
              {member.until && <strong> {t('accessUntil', { until: formatInstant(member.until) })}</strong>}
            </td>
            <td data-name={t('act')}>
              {!member.isMe && (
                <div className="row-of">
                  <Button size="small" aria-label={named(t('change'), member)} onClick={() => onChange(member)}>
                    {t('change')}
                  </Button>
                  {!member.until && (
                    <Button size="small" aria-label={named(t('relogin'), member)} onClick={() => onMove(member)}>
                      {t('relogin')}
                    </Button>
                  )}
                  <Button size="small" aria-label={named(t('remove'), member)} onClick={() => onRemove(member)}>
                    {t('remove')}
                  </Button>
                </div>
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
  /** The one about which something is being done. */
  busy: string | undefined
  members: Members['members']
  onAgain: (invitation: Members['invited'][number]) => void
  onWithdraw: (id: string) => void
}

function Invited({ invited, busy, members, onAgain, onWithdraw }: InvitedProps) {
  const { t } = useTranslation('members')
  const { nameOf } = useByName()
  const memberName = (id: string) => members.find((member) => member.id === id)?.name || t('nameless')
  // Of a member with another login the desk knows one address only, to which it invites (D-DESK-9).
  const goesElsewhere = ({ email, member }: Members['invited'][number]) =>
    Boolean(member) && members.find(({ id }) => id === member)?.email?.toLowerCase() !== email.toLowerCase()
  if (invited.length === 0) return <p>{t('noneInvited')}</p>
  return (
    <table className="stacks">
      <Heads names={[t('email'), t('roles'), t('by'), t('until'), t('act')]} />
      <tbody>
        {invited.map((invitation) => {
          const { id, email, roles, invitedBy, expiresAt, member } = invitation
          return (
            <tr key={id}>
              <th scope="row" className="address" data-name={t('email')}>
                {email}
                {member && (
                  <p>
                    <small className="soft">{t('reloginOf', { name: memberName(member) })}</small>
                  </p>
                )}
              </th>
              <td data-name={t('roles')}>
                <Roles roles={roles} />
              </td>
              <td data-name={t('by')}>{nameOf(invitedBy)}</td>
              <td data-name={t('until')}>{formatInstant(expiresAt)}</td>
              <td data-name={t('act')}>
                <div className="row-of">
                  {goesElsewhere(invitation) ? (
                    <p className="soft">{t('againElsewhere')}</p>
                  ) : (
                    <BusyButton
                      size="small"
                      aria-label={`${t('again')}: ${email}`}
                      isLoading={busy === id}
                      isOff={busy !== undefined}
                      onClick={() => onAgain(invitation)}
                    >
                      {t('again')}
                    </BusyButton>
                  )}
                  <BusyButton
                    size="small"
                    aria-label={`${t('withdraw')}: ${email}`}
                    isOff={busy !== undefined}
                    onClick={() => onWithdraw(id)}
                  >
                    {t('withdraw')}
                  </BusyButton>
                </div>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Roles({ roles }: { roles: readonly Role[] }) {
  const { t } = useTranslation('desk')
  return roles.map((role) => t(`role.${role}`)).join(', ')
}
