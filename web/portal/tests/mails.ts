import { expect } from '@playwright/test'

interface Mail {
  To: string[]
  Subject: string
  BodyText: string
}

/** The mails that the local mail service took for this address, oldest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  // The service closes an idle connection after five seconds; each look has one of its own.
  const headers = { connection: 'close' }
  const answer = await fetch(`${process.env['ZW_MAIL'] ?? ''}/_ministack/ses/messages`, { headers })
  const { messages } = (await answer.json()) as { messages: Record<string, Mail[]> }
  return Object.values(messages)
    .flat()
    .filter(({ To }) => To.length === 1 && To[0] === address)
}

/** Waits for the newest of so many mails, and gives the path of the portal's page that its text leads to. */
export async function linkInMail(address: string, count: number, path: string): Promise<string> {
  await expect.poll(async () => (await mailsTo(address)).length).toBe(count)
  const text = (await mailsTo(address)).at(-1)?.BodyText ?? ''
  const link = text.split(/\s+/).find((word) => word.includes(path))
  if (!link) throw new Error(`no ${path} in ${text}`)
  const { pathname, search } = new URL(link)
  return pathname + search
}

let addresses = 0

/** An address that no other journey writes to, and in which no browser breaks a line. */
export function newAddress(): string {
  addresses += 1
  return `journey.${process.pid}.${Date.now()}.${addresses}@example.org`
}
