import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { relogin } from '@/data/members.ts'
import type { Members, Role } from '@/data/types.ts'

interface Props {
  tenant: string
  member: Members['members'][number]
  /** The roles that the caller can give. */
  given: readonly Role[]
  onClose: () => void
  /** The address that was invited. */
  onDone: (email: string) => void
}

/** Asks before a member is invited whose login at the identity provider is another one now; says so if it cannot be. */
export function ReloginDialog({ tenant, member, given, onClose, onDone }: Props) {
  const { t } = useTranslation('members')
  const { id, email, roles } = member
  const name = member.name || t('nameless')
  const isBeyond = roles.some((role) => !given.includes(role))
  const text = email ? t('reloginText', { name, email }) : t('reloginNoAddress', { name })
  return (
    <AskDialog
      title={t('reloginTitle', { name })}
      go={t('send')}
      isDisabled={isBeyond || !email}
      work={async () => {
        if (!email) return
        await relogin(tenant, id)
        onDone(email)
      }}
      onClose={onClose}
    >
      <p>{isBeyond ? t('reloginBeyond', { name }) : text}</p>
    </AskDialog>
  )
}
