/** The utility's staff at the running product: who they are, how they log in, and what they have before them. */
import type { BrowserContext, Cookie, Page, TestInfo } from '@playwright/test'
import { type Customer, customerWith } from '../../portal/tests/customer.ts'
import { newAddress } from '../../portal/tests/mails.ts'
import { operate } from '../../portal/tests/operator.ts'
import { test as base, expect } from '../../portal/tests/portal.ts'

export interface Member {
  name: string
  email: string
  password: string
}

/** The demo's members: one who answers the telephone, one who leads, at two utilities, one who decides, and one who runs the product. */
export const [support, lead, clerk, platform] = JSON.parse(process.env['ZW_DESK_MEMBERS'] ?? '[{},{},{},{}]') as [
  Member,
  Member,
  Member,
  Member,
]

/** What the browser says of who is not logged in yet or may not see something, and of the provider's page, which has no icon. */
export const AT_LOGIN = /Failed to load resource.*status of (401|403|404)|favicon/

/** The sessions of this worker; a journey that ends one logs in by itself. */
const sessions = new Map<string, Promise<Cookie[]>>()

async function sessionOf(context: BrowserContext, member: Member): Promise<Cookie[]> {
  const page = await context.newPage()
  await logIn(page, process.env['ZW_DESK'] ?? '', member)
  await heading(page, member === platform ? 'Versorger' : 'Kunden suchen')
  const cookies = await context.cookies()
  await page.close()
  return cookies
}

/** A browser in which a member is logged in: the lead, if nothing else is said; `null` is none. */
export const test = base.extend<{ member: Member | null }>({
  member: [lead, { option: true }],
  context: async ({ context, browser, member }, run) => {
    if (member) {
      const begin = async () => {
        const first = await browser.newContext({ locale: 'de-DE' })
        const cookies = await sessionOf(first, member)
        await first.close()
        return cookies
      }
      const session = sessions.get(member.email) ?? begin()
      sessions.set(member.email, session)
      await context.addCookies(await session)
    }
    await run(context)
  },
})

/** Types what a person types at the provider's own page. */
export async function atProvider(page: Page, { email, password }: Member): Promise<void> {
  await page.locator('[name=username]').fill(email)
  await page.locator('[name=password]').fill(password)
  await page.locator('[name=password]').press('Enter')
}

/** Comes to an address of the desk and through the login back to it. */
export async function logIn(page: Page, path: string, member: Member): Promise<void> {
  await page.goto(path)
  await page.getByRole('link', { name: 'Anmelden' }).click()
  await atProvider(page, member)
}

/** The screen is there. */
export const heading = (page: Page, name: string): Promise<void> =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

/** A call of the identity provider's, as the administrator of the members there. */
async function provider<Answer>(action: string, wanted: object): Promise<Answer> {
  const credential = 'test/20261122/eu-central-1/cognito-idp/aws4_request'
  const answer = await fetch(process.env['ZW_MAIL'] ?? '', {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
      'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
      'content-type': 'application/x-amz-json-1.1',
      connection: 'close',
    },
    body: JSON.stringify(wanted),
  })
  if (!answer.ok) throw new Error(`${action}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** A person whom the identity provider knows, and who is not invited. */
export async function newPerson(name: string): Promise<Member> {
  const person = { name, email: newAddress(), password: lead.password }
  const { UserPools } = await provider<{ UserPools: { Id: string }[] }>('ListUserPools', { MaxResults: 1 })
  const who = { UserPoolId: UserPools[0]?.Id, Username: person.email }
  const attributes = Object.entries({ email: person.email, email_verified: 'true', name })
  await provider('AdminCreateUser', {
    ...who,
    MessageAction: 'SUPPRESS',
    UserAttributes: attributes.map(([Name, Value]) => ({ Name, Value })),
  })
  await provider('AdminSetUserPassword', { ...who, Password: person.password, Permanent: true })
  return person
}

/** A customer of a journey's own whose cold-water meter was read on a card, with a value that waits for a clerk. */
export async function customerWhoWaits(info: Pick<TestInfo, 'outputPath'>): Promise<Customer> {
  const customer = await customerWith(info, '10417-wasser')
  const reading = ['--channel', 'CARD', '--value', '01500.125', '--confirm', 'steht so auf der Karte']
  await operate('readings', 'enter', '--meter', customer.number, '--tenant', 'birkenfurt', ...reading)
  return customer
}

/** Goes on to the reading of a meter: what other journeys left may wait, too. */
export async function reach(page: Page, number: string): Promise<void> {
  const meter = page.getByRole('main').getByText(number, { exact: true })
  await expect(async () => {
    if (!(await meter.isVisible())) await page.keyboard.press('n')
    await expect(meter).toBeVisible({ timeout: 500 })
  }).toPass()
}

/** Finds the customer of a journey by half a street and the end of a meter's number. */
export async function openCustomer(page: Page, number: string): Promise<void> {
  await page.goto('/t/birkenfurt/customers')
  await page
    .getByRole('main')
    .getByRole('combobox')
    .fill(`lindenw ${number.slice(-6)}`)
  await expect(page.getByRole('option', { name: /Anna Sommer/ })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await heading(page, 'Anna Sommer')
}
