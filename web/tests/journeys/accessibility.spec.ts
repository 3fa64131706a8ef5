import { letters, meters } from '../demo.ts'
import { expect, expectAccessible, logIn, refusedWith, test } from '../portal.ts'

const LANGUAGES = ['de-FORMAL', 'de-INFORMAL', 'en-FORMAL']

const SCREENS = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1280, height: 860 },
]

for (const { name, ...viewport } of SCREENS) {
  test.describe(`on a ${name}`, () => {
    test.use({ viewport, expectedErrors: [refusedWith(401)] })

    test('before the login', async ({ page }) => {
      await page.goto('/')
      await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
      await expectAccessible(page)
      await logIn(page, { username: 'anna.sommer', password: 'nicht-richtig' })
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
      await page.goto('/m/nichtvonuns0000000000000000')
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
    })

    test('start, menu, an unknown address', async ({ page }) => {
      await page.goto('/')
      await logIn(page, letters.anna)
      await expect(page.getByRole('link', { name: 'Jetzt ablesen' })).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Benutzermenü' }).click()
      await expect(page.getByRole('button', { name: 'Abmelden' })).toBeVisible()
      await expectAccessible(page)
      await page.goto('/gibt-es-nicht')
      await expect(page.getByRole('heading', { name: 'Diese Seite gibt es nicht' })).toBeVisible()
      await expectAccessible(page)
    })

    test('the overview', async ({ page }) => {
      await page.goto('/ablesung')
      await logIn(page, letters.manager)
      await expect(page.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toBeVisible()
      await expectAccessible(page)
      await page.getByLabel('Zähler suchen').fill('gibt es nicht')
      await expect(page.getByText(/^Kein Zähler/)).toBeVisible()
      await expectAccessible(page)
    })

    test('the entry of a reading, and its questions', async ({ page }) => {
      await page.goto(`/ablesung/${meters.due.id}`)
      await logIn(page, letters.mehmet)
      await expect(page.getByRole('heading', { level: 1, name: meters.due.number })).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('textbox', { name: /^Zählerstand/ }).pressSequentially('000001')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Der Zählerstand ist kleiner als bei der letzten Ablesung.').first()).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Zählerstand senden' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
    })

    test('what was sent, and what cannot be sent', async ({ page }) => {
      await page.goto(`/ablesung/${meters.done.id}`)
      await logIn(page, letters.anna)
      await expect(page.getByRole('heading', { name: 'Abgelesen' })).toBeVisible()
      await expectAccessible(page)
      await page.goto(`/m/${letters.rosa.token}`)
      await expect(page.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
      await expectAccessible(page)
      await page.goto(`/ablesung/${meters.expired.id}`)
      await expect(page.getByRole('heading', { level: 1, name: meters.expired.number })).toBeVisible()
      await expectAccessible(page)
    })

    for (const language of LANGUAGES) {
      test(`what is shared, in ${language}`, async ({ page }) => {
        // Eighteen looks at the screens, in one login.
        test.slow()
        await page.addInitScript((language) => localStorage.setItem('zaehlwerk:language', language), language)
        await page.goto('/ablesung-ohne-zugang')
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectAccessible(page)
        await page.goto('/management')
        await expect(page.locator('[name=username]')).toBeVisible()
        await expectAccessible(page)
        await page.locator('[name=username]').fill(letters.manager.username)
        await page.locator('[name=password]').fill(letters.manager.password)
        await page.keyboard.press('Enter')
        const actions = page.locator('.management__actions')
        await expect(actions.getByRole('button')).toHaveCount(2)
        await expectAccessible(page)
        await actions.getByRole('button').first().click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('checkbox').nth(1).check()
        await dialog.getByRole('textbox').first().fill(`${name} ${language}`)
        await expectAccessible(page)
        await dialog.getByRole('textbox').first().fill(' ')
        await expectAccessible(page)
        await dialog.getByRole('textbox').first().fill(`${name} ${language}`)
        await dialog.locator('.dialog__actions').getByRole('button').first().click()
        const ways = dialog.getByRole('radio')
        await expect(ways.first()).toBeVisible()
        await expectAccessible(page)
        await ways.last().check()
        await expectAccessible(page)
        await dialog.getByRole('textbox').first().press('Control+a')
        await dialog.getByRole('textbox').first().press('Control+c')
        await dialog.locator('.share-close').getByRole('button').click()
        await page.getByRole('link', { name: `${name} ${language}` }).click()
        await expect(page.getByRole('heading', { name: `${name} ${language}` })).toBeVisible()
        await expectAccessible(page)
        await page.locator('.share-detail').getByRole('button').nth(2).click()
        await expect(dialog).toBeVisible()
        await expectAccessible(page)
      })
    }
  })
}
