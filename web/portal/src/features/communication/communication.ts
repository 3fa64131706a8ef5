import { useSyncExternalStore } from 'react'
import type { Application, RegistrationInfo } from '@shared/contract/types.ts'
import { hasRoles, useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useRegistrationInfo } from '@/data/communication.ts'
import { useOnline } from '@/device/connectivity.ts'

const ROLES = ['ROLE_KSA_PRO_USER', 'ROLE_KSA_SEND_CRMREGISTEREDUSER_READINGRECEIPT']

/** Tells the registration's pages where their visitor comes from (P9). */
const REFERENCE = 'ref=zaehlwerk'

/** An account that takes part in digital communication, or may. */
export interface Communication {
  accountId: string
  info: RegistrationInfo
  /** Whether e-mail is confirmed: then there are receipts, until then there is registration. */
  isRegistered: boolean
}

/** The only account that is logged in, when it has the roles and the tenant offers digital communication anywhere (P6). */
export function useEntitledAccount(): string | undefined {
  const { registrationPlacements, receiptPlacements, showModalAfterLastJobCompleted } = useApplication().crmSettings
  const isOffered = showModalAfterLastJobCompleted || registrationPlacements.length > 0 || receiptPlacements.length > 0
  const sessions = useSessions()
  const [only] = sessions
  return isOffered && sessions.length === 1 && only && hasRoles(only, ...ROLES) ? only.accountId : undefined
}

/** Digital communication as far as it is possible now: with a network, for one account, once it is known what is registered (P4). */
export function useCommunication(): Communication | undefined {
  const known = useKnownCommunication()
  return useOnline() ? known : undefined
}

/** The same, with a network or without one. */
export function useKnownCommunication(): Communication | undefined {
  const accountId = useEntitledAccount()
  const info = useRegistrationInfo(accountId)
  if (accountId === undefined || !info) return undefined
  return { accountId, info, isRegistered: info.currentConfirmedCommunicationTypes.includes('EMAIL') }
}

type Placement = Application['crmSettings']['registrationPlacements'][number]

/** The same, where the tenant wants registration, or for those who are registered receipts, to be offered (L6). */
export function useCommunicationAt(placement: Placement): Communication | undefined {
  const { registrationPlacements, receiptPlacements } = useApplication().crmSettings
  const communication = useCommunication()
  const placements = communication?.isRegistered ? receiptPlacements : registrationPlacements
  return placements.includes(placement) ? communication : undefined
}

/** The page where an account registers, or ends that; undefined when the CRM does not say where it is. */
export const registrationPage = ({ registrationUrl, selfServiceToken }: RegistrationInfo): string | undefined =>
  registrationUrl && selfServiceToken
    ? `${registrationUrl}/m/${encodeURIComponent(selfServiceToken)}?${REFERENCE}`
    : undefined

/** Who opened the dialog: the reader, or the portal when the last job was done. */
export type Trigger = 'manual' | 'automatic'

let trigger: Trigger | undefined
const listeners = new Set<() => void>()

/** Opens the dialog, or closes it. */
export function openCommunication(next: Trigger | undefined): void {
  trigger = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who opened the dialog; undefined while it is closed. */
export const useTrigger = (): Trigger | undefined => useSyncExternalStore(subscribe, () => trigger)
