/** What must be kept from others: a colleague's open tab, a customer who was not meant, a person who wants to be gone. */
import { expect, expectNoViolation } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, heading, lead, logIn, support, test } from '../desk.ts'

// What a hold keeps is refused with 409.
test.use({ expectedErrors: [new RegExp(`${AT_LOGIN.source}|status of 409`)] })

test.describe('in one browser', () => {
  test.use({ member: null })

  test('whoever logs out leaves no page of theirs, and a tab of before acts for nobody else', async ({
    page,
    context,
  }) => {
    await logIn(page, '/t/birkenfurt/season', support)
    await heading(page, 'Saison')
    const other = await context.newPage()
    await other.goto('/t/birkenfurt/customers')
    await heading(other, 'Kunden suchen')
    await other.getByRole('button', { name: 'Abmelden' }).click()
    await heading(other, 'Anmelden')
    await heading(page, 'Anmelden')

    // A colleague logs in where a tab of the first one is still open, without a word to it.
    await logIn(page, '/t/birkenfurt/customers', support)
    await heading(page, 'Kunden suchen')
    await context.clearCookies()
    await logIn(other, '/t/birkenfurt/season', lead)
    await heading(other, 'Saison')
    const searched = page.waitForResponse('**/search')
    await page.getByRole('main').getByRole('combobox').fill('sommer')
    expect((await searched).status()).toBe(401)
    await expect(page.getByRole('dialog', { name: 'Ihre Sitzung ist beendet' })).toBeVisible()
    await expect(page.getByRole('option')).toHaveCount(0)
  })
})

test('who presses Enter before the answer is there gets whom these words find, and nobody else', async ({ page }) => {
  await page.goto('/t/birkenfurt/customers')
  const field = page.getByRole('main').getByRole('combobox')
  const found = page.waitForResponse('**/search')
  await field.fill('ahrens')
  const {
    customers: [ahrens],
  } = (await (await found).json()) as { customers: { account: string }[] }
  const address = `/customers/${ahrens?.account}`
  await expect(page.getByRole('option', { name: /Uwe Ahrens/ })).toBeVisible()
  // The second answer is late; what the first one found is still on the screen.
  let answer = () => {}
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/search', async (route) => {
    await isHeld
    await route.continue()
  })
  const asked = page.waitForRequest('**/search')
  await field.fill('lindenw 12')
  await field.press('Enter')
  await asked
  await field.press('Enter')
  await expect(field).toBeVisible()
  answer()
  await expect(
    page
      .getByRole('option', { name: /Anna Sommer/ })
      .or(page.getByRole('heading', { name: 'Anna Sommer' }))
      .first(),
  ).toBeVisible()
  expect(page.url()).not.toContain(address)
  await expect(page.getByRole('heading', { name: 'Uwe Ahrens' })).toHaveCount(0)
})

// No file is ever saved over WebDriver BiDi.
test('a person gets what is stored about them, and is erased by name of the account', { tag: '@chromium' }, async ({
  page,
}) => {
  await page.goto('/t/birkenfurt/customers')
  await page.getByRole('navigation').getByRole('link', { name: 'Datenschutz' }).click()
  await heading(page, 'Datenschutz')
  await page.getByLabel(/^Zugang/).fill('k-99999')
  await page.getByRole('button', { name: 'Auskunft als PDF' }).click()
  await expect(page.getByRole('alert')).toHaveText(/„k-99999“ gibt es nicht/)
  await page.getByLabel(/^Zugang/).fill('k-30079')
  for (const format of ['PDF', 'JSON']) {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: `Auskunft als ${format}` }).click()
    expect((await download).suggestedFilename()).toBe(`auskunft-k-30079.${format.toLowerCase()}`)
  }
  await page.getByRole('button', { name: 'Löschung sperren …' }).click()
  const held = page.getByRole('dialog', { name: 'Löschung sperren' })
  await held.getByRole('button', { name: 'Sperren' }).click()
  await expect(held.getByText('Bitte nennen Sie den Grund.')).toBeVisible()
  await held.getByLabel('Warum').fill('Streit um die Rechnung')
  await expectNoViolation(page)
  await held.getByRole('button', { name: 'Sperren' }).click()
  const hold = page.getByRole('row', { name: /k-30079 Streit um die Rechnung/ })
  await expect(hold).toBeVisible()
  await page.getByRole('button', { name: 'Löschen …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Alles löschen' })
  await dialog.getByLabel(/Grund/).selectOption('c) Widerspruch')
  await dialog.getByLabel(/Bestätigung/).fill('k-30078')
  await dialog.getByLabel(/Bestätigung/).press('Enter')
  await expect(dialog.getByText('Das ist nicht „k-30079“.')).toBeVisible()
  await expectNoViolation(page)
  await dialog.getByLabel(/Bestätigung/).fill('k-30079')
  await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
  await expect(dialog.getByText('Es gilt eine Löschsperre')).toBeVisible()
  await dialog.getByRole('button', { name: 'Abbrechen' }).click()
  await page.getByRole('button', { name: 'Löschung sperren …' }).click()
  await expect(held.getByText(/Es gilt schon eine Sperre/)).toBeVisible()
  await expect(held.getByLabel('Warum')).toHaveValue('Streit um die Rechnung')
  await held.getByLabel('Warum').fill('Streit um die Rechnung, Klage')
  await held.getByRole('button', { name: 'Sperren' }).click()
  await expect(hold).toContainText('Klage')
  await hold.getByRole('button', { name: 'Aufheben' }).click()
  const ending = page.getByRole('dialog', { name: 'Löschsperre aufheben' })
  await expect(ending).toContainText('Streit um die Rechnung, Klage')
  await expectNoViolation(page)
  await ending.getByRole('button', { name: 'Sperre aufheben' }).click()
  await expect(hold).toHaveCount(0)
  await page.getByRole('button', { name: 'Löschen …' }).click()
  await dialog.getByLabel(/Grund/).selectOption('c) Widerspruch')
  await dialog.getByLabel(/Bestätigung/).fill('k-30079')
  await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
  const asked = page.getByRole('row', { name: /k-30079/ })
  await expect(asked).toContainText('c) Widerspruch')
  await expect(asked).toContainText('läuft')
  await expectNoViolation(page)
})

test('what a colleague took back meanwhile is no longer open, and what is held can be taken back', async ({ page }) => {
  const asked = { requestedAt: '2026-11-26T08:00:00Z', by: 'Mara Lindner', ground: 'OBJECTION', isMine: false }
  await page.route('**/erasures', async (route) => {
    const response = await route.fetch()
    const erasures = (await response.json()) as object
    const open = [
      { ...asked, account: 'k-99998', state: 'AWAITS_SECOND', awaitsSecond: true },
      { ...asked, account: 'k-99999', state: 'HELD', awaitsSecond: true },
    ]
    await route.fulfill({ json: { ...erasures, open } })
  })
  await page.goto('/t/birkenfurt/privacy')
  await page
    .getByRole('row', { name: /k-99998/ })
    .getByRole('button', { name: 'Zustimmen' })
    .click()
  await expect(page.getByRole('alert')).toHaveText(/„k-99998“ ist nicht mehr offen/)
  const held = page.getByRole('row', { name: /k-99999.*zweites Mitglied und auf das Ende einer Löschsperre/ })
  await expect(held.getByRole('button', { name: 'Zustimmen' })).toHaveCount(0)
  await held.getByRole('button', { name: 'Zurückziehen' }).click()
  await expect(page.getByRole('alert')).toHaveText(/„k-99999“ ist nicht mehr offen/)
  await expectNoViolation(page)
})
