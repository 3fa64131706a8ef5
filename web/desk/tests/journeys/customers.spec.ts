/** What a customer asks for on the telephone, each journey with a customer of its own. */
import { readFile } from 'node:fs/promises'
import { customerWith } from '../../../portal/tests/customer.ts'
import { meters } from '../../../portal/tests/demo.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, heading, support, test } from '../desk.ts'

test.use({ member: support, expectedErrors: [AT_LOGIN] })

test('who lost the letter gets another one, by keyboard alone', async ({ page }, info) => {
  const { number } = await customerWith(info, meters.doubleTariff.id)
  await page.goto('/t/birkenfurt/customers')
  await page
    .getByRole('main')
    .getByRole('combobox')
    .fill(`lindenw ${number.slice(-6)}`)
  await expect(page.getByRole('option', { name: /Anna Sommer/ })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await heading(page, 'Anna Sommer')
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
  await expect(question).toHaveCount(0)
})
