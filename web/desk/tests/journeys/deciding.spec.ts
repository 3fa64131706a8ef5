/** A clerk and what came without a job: found, assigned, taken back; then several at once. */
import { expect, expectNoViolation } from '../../../portal/tests/portal.ts'
import { heading, test } from '../desk.ts'

test('what came without a job goes to the one that suggests itself, and back; several are put aside at once', async ({
  page,
}) => {
  test.slow()
  await page.goto('/t/birkenfurt/deciding?reason=WITHOUT_JOB')
  await expect(page.getByText('2 Ablesungen warten')).toBeVisible()
  await expectNoViolation(page)

  // The second one is picked: the number on its plate leads to its job.
  const row = page.getByRole('row', { name: /7GMT/ })
  await row.getByRole('link').first().press('Enter')
  await expect(page.getByText('passt: Zählernummer, Anschrift, Name')).toBeVisible()
  await expectNoViolation(page)
  await page.keyboard.press('o')
  await expect(page.getByRole('radio').first()).toBeChecked()
  await expectNoViolation(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Zähler 7GMT\d+ zugeordnet\./)).toBeVisible()
  await page.keyboard.press('z')
  await expect(page.getByText('passt: Zählernummer, Anschrift, Name')).toBeVisible()

  // Both at once, by the keyboard; each is taken back for itself.
  await page.getByRole('link', { name: 'Zur Liste' }).click()
  await page.getByRole('checkbox').first().focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox').last().focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('2 ausgewählt')).toBeVisible()
  await page.getByRole('button', { name: 'Ablehnen' }).click()
  await page.getByLabel('Was soll der Kunde lesen?').fill('Bitte senden Sie den Stand mit Ihren Zugangsdaten.')
  await expectNoViolation(page)
  await page.getByRole('button', { name: 'Ablehnen und mitteilen' }).click()
  await expect(page.getByText('2 Ablesungen entschieden')).toBeVisible()
  await expect(page.getByRole('status').getByText('In dieser Auswahl wartet nichts.')).toBeVisible()
  await page.getByRole('link', { name: 'Meine Entscheidungen heute' }).click()
  await page.getByRole('button', { name: 'Gestern' }).click()
  await heading(page, 'Meine Entscheidungen gestern')
  await expect(page.getByText('Gestern keine Entscheidung.')).toBeVisible()
  await page.getByRole('button', { name: 'Heute' }).click()
  const mine = page.getByRole('row', { name: /ohne Auftrag.*Zugangsdaten/ })
  for (const left of [1, 0]) {
    await mine.getByRole('button', { name: 'Zurücknehmen' }).first().click()
    await expect(mine).toHaveCount(left)
  }
  await page.goto('/t/birkenfurt/deciding?reason=WITHOUT_JOB')
  await expect(page.getByText('2 Ablesungen warten')).toBeVisible()
})
