import { letters } from '../demo.ts'
import { expect, logIn, refusedWith, test } from '../portal.ts'

test('the button says what is missing until it can be pressed', async ({ page }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Anmelden' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription(
    'Der Benutzername hat mindestens 5, das Passwort mindestens 5 Zeichen.',
  )
  await page.getByLabel('Benutzername').fill('a n n a . s')
  await expect(button).toHaveAccessibleDescription('Das Passwort hat mindestens 5 Zeichen.')
  await page.getByLabel('Passwort', { exact: true }).fill('  1 2 3 4  ')
  await expect(button).toBeDisabled()
  await page.getByLabel('Passwort', { exact: true }).fill('12345')
  await expect(button).toBeEnabled()
})

test('blanks in the letter do not matter, and neither does the case of the name', async ({ page }) => {
  await page.goto('/')
  await logIn(page, { username: ' Anna. Sommer', password: 'birke - 417 ' })
  await expect(page.getByRole('heading', { name: 'Willkommen bei Stadtwerke Birkenfurt' })).toBeVisible()
})

test.describe('with the wrong password', () => {
  test.use({ expectedErrors: [refusedWith(401)] })

  test('a dialog says so, and what was typed stays', async ({ page }) => {
    await page.goto('/')
    await logIn(page, { username: letters.mehmet.username, password: 'nicht-richtig' })
    const dialog = page.getByRole('dialog', { name: 'Anmeldung nicht möglich' })
    await expect(dialog).toContainText('Anmeldung fehlgeschlagen. Bitte prüfen Sie Ihre Anmeldedaten.')
    await expect(dialog).toContainText('noch nicht übermittelt')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByLabel('Benutzername')).toHaveValue(letters.mehmet.username)
    await expect(page.getByLabel('Passwort', { exact: true })).toHaveValue('nicht-richtig')
  })

  test('a link that is none of ours leads to the login', async ({ page }) => {
    await page.goto('/m/nichtvonuns0000000000000000')
    const dialog = page.getByRole('dialog', { name: 'Zugang ungültig oder abgelaufen' })
    await expect(dialog).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/')
    await dialog.getByRole('button', { name: 'Zur Anmeldung' }).click()
    await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  })
})

test('by link, whose token leaves the address bar at once', async ({ page }) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto(`/m/${letters.rosa.token}`)
  await expect(page).toHaveURL('/')
  // Her account's language is English.
  await expect(page.getByRole('heading', { name: 'Welcome to Stadtwerke Birkenfurt' })).toBeVisible()
  await expect(page.getByRole('main').getByText(letters.rosa.name)).toBeVisible()
  expect(addresses.filter((address) => address.includes(letters.rosa.token))).toHaveLength(1)
  await page.goBack()
  expect(page.url()).not.toContain(letters.rosa.token)
})

test('a login outlives a reload, and a logout ends it', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.mehmet)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main').getByText(letters.mehmet.name)).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
})

test('a logout in one tab is one in the other', async ({ page, context }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  const other = await context.newPage()
  await other.goto('/ablesung')
  await expect(other.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
  await other.getByRole('button', { name: 'Benutzermenü' }).click()
  await other.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
})

test('two accounts are open side by side', async ({ page }) => {
  await page.goto(`/m/${letters.anna.token}`)
  await expect(page.getByRole('heading', { name: 'Ihr Zugang' })).toBeVisible()
  await page.goto(`/m/${letters.mehmet.token}`)
  await expect(page.getByRole('heading', { name: 'Ihre Zugänge' })).toBeVisible()
  await expect(page.getByRole('main').getByText(letters.anna.name)).toBeVisible()
  await expect(page.getByRole('main').getByText(letters.mehmet.name)).toBeVisible()
})

test.describe('without an answer', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test('a link is kept, and works once there is one', async ({ page }) => {
    await page.route('**/auth/token', (route) => route.abort())
    await page.goto(`/m/${letters.mehmet.token}`)
    const again = page.getByRole('dialog').getByRole('button', { name: 'Erneut versuchen' })
    await expect(again).toBeVisible()
    await page.unroute('**/auth/token')
    await again.click()
    await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  })
})
