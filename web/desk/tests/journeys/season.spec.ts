/** The season as a whole, and who looked at what, with the whole product. */
import type { Page } from '@playwright/test'
import { expect, expectNoViolation, refusedWith, test } from '../../../portal/tests/portal.ts'

test.use({ expectedErrors: [new RegExp(`${refusedWith(401).source}|favicon`)] })

interface Member {
  email: string
  password: string
}

const [support, lead] = JSON.parse(process.env['ZW_DESK_MEMBERS'] ?? '[]') as Member[]

async function logIn(page: Page, path: string, member: Member | undefined): Promise<void> {
  if (!member) throw new Error('the local product has no such member')
  await page.goto(path)
  await page.getByRole('link', { name: 'Anmelden' }).click()
  await page.locator('[name=username]').fill(member.email)
  await page.locator('[name=password]').fill(member.password)
  await page.locator('[name=password]').press('Enter')
}

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

test('who looked at a customer is found by number, member and action, and leads back to the customer', async ({
  page,
}) => {
  await logIn(page, '/t/birkenfurt/customers', lead)
  await page.getByRole('main').getByRole('combobox').fill('lindenw 12')
  await page.getByRole('option', { name: /Anna Sommer/ }).click()
  await heading(page, 'Anna Sommer')
  const account = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByRole('navigation').getByRole('link', { name: 'Nachweise' }).click()
  await heading(page, 'Nachweise')
  const looked = page.getByRole('row').filter({ hasText: 'sah einen Kunden an' }).filter({ hasText: 'Jonas Reuter' })
  await expect(looked.first()).toBeVisible()
  await expectNoViolation(page)
  await page.getByLabel('Kundennummer').fill(account)
  await page.keyboard.press('Enter')
  await page.getByLabel('Was').selectOption('sah einen Kunden an')
  await page.getByRole('button', { name: 'Jonas Reuter' }).first().click()
  await expect(page).toHaveURL(/customer=.+&action=desk\+customer&member=/)
  await expect(page.getByRole('row').filter({ hasText: 'meldete sich an' })).toHaveCount(0)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('nachweise.csv')
  await page.getByRole('link', { name: account }).first().click()
  await heading(page, 'Anna Sommer')
})

test('who has no such role does not see the way there', async ({ page }) => {
  await logIn(page, '/t/birkenfurt/customers', support)
  await heading(page, 'Kunden suchen')
  await expect(page.getByRole('navigation').getByText('Nachweise')).toHaveCount(0)
})
