import { useEffect, useEffectEvent, useRef } from 'react'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { coming } from '@shared/ui/coming.tsx'
import { AskedFor } from '@/components/asked-for.tsx'
import { useApplication } from '@/data/application.ts'
import { refreshRegistrationInfo } from '@/data/communication.ts'
import { useJobs } from '@/data/jobs.ts'
import { useOnline } from '@/device/connectivity.ts'
import { openCommunication, useEntitledAccount, useKnownCommunication, useTrigger } from './communication.ts'
import { useIsAsking } from './receipts.ts'

const CommunicationDialog = coming(async () => {
  const [module] = await Promise.all([import('./communication-dialog.tsx'), loadTexts(['communication'])])
  return module.CommunicationDialog
})

/** Has the dialog, and opens it when the last job is done, where the tenant wants that (P4). */
export function CommunicationHost() {
  const known = useKnownCommunication()
  const isOnline = useOnline()
  // While receipts are asked for, the dialog is locked, and stays also when the network goes.
  const isAsking = useIsAsking()
  const communication = isOnline || isAsking ? known : undefined
  const trigger = useTrigger()
  const { showModalAfterLastJobCompleted } = useApplication().crmSettings
  useFocusRefresh(communication?.isRegistered ?? false)
  /** The account whose last job was done before it was known what is registered. */
  const dueFor = useRef<string>(undefined)
  function openIfDue() {
    if (dueFor.current === undefined || communication?.accountId !== dueFor.current) return
    dueFor.current = undefined
    if (showModalAfterLastJobCompleted) openCommunication('automatic')
  }
  useLastJobDone((accountId) => {
    dueFor.current = accountId
    openIfDue()
  })
  const knownFor = communication?.accountId
  const tellKnown = useEffectEvent(openIfDue)
  useEffect(() => {
    if (knownFor !== undefined) tellKnown()
  }, [knownFor])
  // What was open when the network or the account went does not come back by itself.
  const isPossible = communication !== undefined
  useEffect(() => {
    if (!isPossible) openCommunication(undefined)
  }, [isPossible])
  if (!communication || !trigger) return null
  const close = () => openCommunication(undefined)
  return (
    <AskedFor part={CommunicationDialog} onMissing={close}>
      <CommunicationDialog communication={communication} trigger={trigger} onClose={close} />
    </AskedFor>
  )
}

/** Who comes back to the window may have registered meanwhile; who is registered need not be asked about again (L4). */
function useFocusRefresh(isRegistered: boolean) {
  const accountId = useEntitledAccount()
  useEffect(() => {
    if (accountId === undefined || isRegistered) return
    const refresh = () => void refreshRegistrationInfo(accountId)
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [accountId, isRegistered])
}

/** Calls back with the account when it had open jobs and has none left. */
function useLastJobDone(onDone: (accountId: string) => void) {
  const { jobs, isComplete } = useJobs()
  const accountId = useEntitledAccount()
  const open = !isComplete || !jobs?.length ? undefined : jobs.filter(({ done }) => !done).length
  const hadOpen = useRef<string>(undefined)
  const notifyDone = useEffectEvent(onDone)
  useEffect(() => {
    if (open === undefined || accountId === undefined) return
    if (open === 0 && hadOpen.current === accountId) notifyDone(accountId)
    hadOpen.current = open > 0 ? accountId : undefined
  }, [open, accountId])
}
