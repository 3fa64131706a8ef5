/** What a customer asks for on the telephone, each journey with a customer of its own. */
import { readFile } from 'node:fs/promises'
import { customerWith } from '../../../portal/tests/customer.ts'
import { meters } from '../../../portal/tests/demo.ts'
import { linkInMail, newAddress } from '../../../portal/tests/mails.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { heading, openCustomer, support, test } from '../desk.ts'

// A preview that is opened once more is none any more.
test.use({ member: support, expectedErrors: [/status of 404.*\/api\/public\/customer-preview\)$/] })

test('the row that keys have chosen stays in sight', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/t/birkenfurt/customers')
  const field = page.getByRole('main').getByRole('combobox')
  await field.fill('birkenallee')
  await expect(page.getByRole('option').nth(8)).toBeAttached()
  for (let rows = 0; rows < 8; rows += 1) await field.press('ArrowDown')
  await expect(page.getByRole('option').nth(8)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('option').nth(8)).toBeInViewport({ ratio: 1 })
})

// No file is ever saved over WebDriver BiDi.
test('who lost the letter gets another one, by keyboard alone', { tag: '@chromium' }, async ({ page }, info) => {
  const { number } = await customerWith(info, meters.doubleTariff.id)
  await openCustomer(page, number)
  await page.getByRole('button', { name: 'Neue Zugangsdaten und Brief' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Neue Zugangsdaten und Brief' })
  await expect(question).toContainText('Das alte Passwort und der alte Link gelten sofort nicht mehr')
  await expectNoViolation(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await widerBy(page)).toBeLessThanOrEqual(0)
  const download = page.waitForEvent('download')
  await question.getByRole('button', { name: 'Brief erstellen' }).press('Enter')
  const letter = await download
  expect(letter.suggestedFilename()).toMatch(/^brief-k-.+\.pdf$/)
  expect((await readFile(await letter.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await expect(page.getByText('Der Brief ist gespeichert.')).toBeVisible()
  await expect(page.getByText(/ · Brief mit neuen Zugangsdaten · Mara Lindner$/)).toBeVisible()
  await expect(question).toHaveCount(0)
})

test('the portal is seen as the customer sees it, and nothing can be done there', async ({ page }, info) => {
  const { number } = await customerWith(info, meters.doubleTariff.id)
  await openCustomer(page, number)
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Portal ansehen, wie der Kunde es sieht' }).press('Enter')
  const portal = await opened
  await expect(portal.getByText('So sieht Anna Sommer das Portal.')).toBeVisible()
  // The token is in no history and no bookmark.
  await expect(portal).toHaveURL(/\/vorschau$/)
  const list = portal.getByRole('navigation', { name: 'Zähler' })
  await expect(list.getByRole('link', { name: number })).toHaveAttribute('aria-disabled', 'true')
  await expect(list.locator('a[href]')).toHaveCount(0)
  await expect(portal.getByText('0 von 2 abgelesen')).toBeVisible()
  await expectNoViolation(portal)
  await portal.setViewportSize({ width: 320, height: 640 })
  expect(await widerBy(portal)).toBeLessThanOrEqual(0)
  await portal.reload()
  await expect(portal.getByRole('heading', { name: 'Diese Vorschau ist zu Ende' })).toBeVisible()
  await expectNoViolation(portal)
})

test('who asks on the telephone gets mails once the address is confirmed, and none after the next call', async ({
  page,
}, info) => {
  const { number } = await customerWith(info, meters.doubleTariff.id)
  const address = newAddress()
  await openCustomer(page, number)
  await page.getByRole('button', { name: 'E-Mails einschalten' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'E-Mails einschalten' })
  await question.getByLabel('E-Mail-Adresse').fill('anna@')
  await question.getByLabel('E-Mail-Adresse').press('Enter')
  await expect(question.getByText('Das ist keine E-Mail-Adresse.')).toBeVisible()
  await expect(question.getByText('Ohne Zustimmung wird die Adresse nicht gespeichert.')).toBeVisible()
  await expectNoViolation(page)
  await expect(question.getByLabel('E-Mail-Adresse')).toHaveValue('anna@')
  await question.getByLabel('E-Mail-Adresse').fill(address)
  await question.getByLabel('E-Mail-Adresse').press('Enter')
  const consent = question.getByLabel('Die Datenschutzerklärung wurde genannt')
  await expect(consent).toBeFocused()
  await expect(consent).toHaveAccessibleDescription('Ohne Zustimmung wird die Adresse nicht gespeichert.')
  await consent.press('Space')
  await question.getByRole('button', { name: 'Bestätigung senden' }).press('Enter')
  await expect(page.getByText('Die E-Mail zur Bestätigung ist unterwegs.')).toBeVisible()
  const card = page.getByRole('region', { name: 'Digitale Kommunikation' })
  await expect(card).toContainText(`E-Mail unbestätigt${address}`)
  expect(await linkInMail(address, 1, '/registrierung/bestaetigen/')).toMatch(/bestaetigen\/./)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await widerBy(page)).toBeLessThanOrEqual(0)
  const sent = await page.context().newPage()
  await sent.goto('/t/birkenfurt/season/mails?kind=confirmation')
  await heading(sent, 'Gesendete E-Mails')
  await expect(sent.getByRole('row', { name: /Anna Sommer gesendet/ }).first()).toBeVisible()
  await expectNoViolation(sent)
  await sent.setViewportSize({ width: 320, height: 640 })
  expect(await widerBy(sent)).toBeLessThanOrEqual(0)
  await sent.close()
  await page.bringToFront()
  await card.getByRole('button', { name: 'E-Mails ausschalten' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Ausschalten', exact: true }).press('Enter')
  await expect(card).toContainText('Die E-Mails sind ausgeschaltet.')
  await expect(card).toContainText('Erinnerungennicht gewünscht')
  await expect(card).not.toContainText(address)
})
