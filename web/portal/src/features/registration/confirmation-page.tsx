import { confirmRegistration } from '@/data/communication.ts'
import { LinkPage } from './link-page.tsx'

/** Where the link of a confirmation mail leads. */
export function ConfirmationPage({ token }: { token: string }) {
  return <LinkPage page="confirmation" act={() => confirmRegistration(token)} goneIcon="clock" />
}
