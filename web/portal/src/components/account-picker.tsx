import { SelectField } from '@aws-amplify/ui-react'
import type { Session } from '@/auth/sessions.ts'

interface Props {
  label: string
  accounts: readonly Session[]
  /** The account that is picked; empty for all of them. */
  accountId: string
  /** What stands for all of them, where that is a choice. */
  all?: string
  onPick: (accountId: string) => void
}

/** Which of the logged-in accounts is meant; there is no picker without a choice (L6). */
export function AccountPicker({ label, accounts, accountId, all, onPick }: Props) {
  if (accounts.length < 2) return null
  return (
    <SelectField label={label} value={accountId} onChange={(event) => onPick(event.target.value)}>
      {all && <option value="">{all}</option>}
      {accounts.map((account) => (
        <option key={account.accountId} value={account.accountId}>
          {account.info.name}
        </option>
      ))}
    </SelectField>
  )
}
