/** Every screen and dialog in three languages, two contrasts and two widths, by all rules of axe and without an exception. */
import type { Page } from '@playwright/test'
import { letters, meters } from '../demo.ts'
import { jobsOf, plausible } from '../ledger.ts'
import {
  expect,
  expectNoViolation,
  follow,
  logIn,
  expectAccessibleInAllLanguages as look,
  refusedWith,
  test,
} from '../portal.ts'
import { enterContact, enterMeter, enterReading, expectHeading, submit } from '../visitor.ts'

const WIDTHS = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1280, height: 860 },
]

const heading = (page: Page, name: string | RegExp) => expect(page.getByRole('heading', { name }).first()).toBeVisible()

for (const { name, ...viewport } of WIDTHS) {
  test.describe(`on a ${name}`, () => {
    // Many looks in one login: logging in anew for each would take longer than looking.
    test.describe.configure({ timeout: 300_000 })
    test.use({ viewport, expectedErrors: [new RegExp(`${refusedWith(401).source}|status of 503|net::ERR_FAILED`)] })

    test('before the login', async ({ page }) => {
      await page.goto('/')
      await heading(page, 'Zählerstand melden')
      await look(page)
      await page.getByRole('button', { name: 'QR-Code scannen' }).click()
      await expect(page.getByRole('dialog', { name: 'Keine Kamera verfügbar' })).toBeVisible()
      await look(page)
      await page.keyboard.press('Escape')
      await logIn(page, { username: letters.anna.username, password: 'nicht-richtig' })
      await expect(page.getByRole('dialog', { name: 'Anmeldung nicht möglich' })).toBeVisible()
      await look(page)
      await page.goto('/m/nichtvonuns0000000000000000')
      await expect(page.getByRole('dialog')).toBeVisible()
      await look(page)
      await page.keyboard.press('Escape')
      await follow(page, '/help')
      await heading(page, 'Anmelden')
      await look(page)
      await follow(page, '/accessibility')
      await heading(page, 'Erklärung zur Barrierefreiheit')
      await look(page)
      // Without settings there is neither a language nor a contrast to choose.
      await page.route('**/api/public/application', (route) => route.fulfill({ status: 503, json: {} }))
      await page.evaluate(() => indexedDB.deleteDatabase('zaehlwerk'))
      await page.goto('/')
      await heading(page, 'Das Portal ist gerade nicht erreichbar')
      await expectNoViolation(page)
    })

    test('the reading without a login', async ({ page }) => {
      await page.goto('/ablesung-ohne-zugang')
      await expect(page.getByLabel('Zählernummer')).toBeVisible()
      await page.getByLabel('Zählernummer').fill('12')
      await page.getByLabel('Zählernummer').blur()
      await look(page)
      await enterMeter(page)
      await expectHeading(page, 'Was zeigt der Zähler an?')
      await look(page)
      await enterReading(page)
      await page.getByLabel('Postleitzahl').fill('1')
      await page.getByLabel('Postleitzahl').blur()
      await look(page)
      await enterContact(page)
      await expectHeading(page, 'Stimmen Ihre Angaben?')
      await look(page)
      await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
      await page.route('**/api/unknown-readings/results', (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          json: { code: 'temporarily-unavailable', status: 503 },
        }),
      )
      await submit(page).click()
      await expect(page.getByText('Ihre Angaben bleiben erhalten.', { exact: false })).toBeVisible()
      await look(page)
      await page.unroute('**/api/unknown-readings/results')
      await submit(page).click()
      await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
      await look(page)
    })

    test('the screens of a resident', async ({ page }) => {
      await page.goto('/')
      await logIn(page, letters.anna)
      await heading(page, /^Willkommen/)
      await look(page)
      await page.getByRole('button', { name: 'Benutzermenü' }).click()
      await expect(page.getByRole('button', { name: 'Abmelden' })).toBeVisible()
      await look(page)
      await follow(page, '/introduction')
      await heading(page, 'Schön, dass Sie da sind')
      await look(page)
      await follow(page, '/anmelden')
      await expect(page.getByLabel('Benutzername')).toBeVisible()
      await look(page)
      await follow(page, '/gibt-es-nicht')
      await heading(page, 'Diese Seite gibt es nicht')
      await look(page)
      await follow(page, '/ablesung')
      await expect(page.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toBeVisible()
      await look(page)
      await page.getByLabel('Zähler suchen').fill('gibt es nicht')
      await expect(page.getByText(/^Kein Zähler/)).toBeVisible()
      await look(page)
      await page.getByLabel('Zähler suchen').fill('')
      await follow(page, '/ablesung/gibt-es-nicht')
      await heading(page, 'Diesen Zähler gibt es nicht')
      await look(page)
      await follow(page, `/ablesung/${meters.doubleTariff.id}`)
      await page.getByRole('button', { name: 'Wie lese ich diesen Zähler ab?' }).click()
      await heading(page, 'Zweitarifzähler ablesen')
      await look(page)
      await follow(page, `/ablesung/${meters.done.id}`)
      await heading(page, 'Abgelesen')
      await look(page)
      await follow(page, '/ablesung/neu')
      await page.getByRole('button', { name: 'Zählerstand senden' }).click()
      await expect(page.getByText('Bitte füllen Sie alle Pflichtfelder aus')).toBeVisible()
      await look(page)
      await follow(page, '/auswertung')
      await heading(page, 'Auswertung')
      await look(page)
      await follow(page, `/auswertung/${meters.done.id}`)
      await expect(page.getByRole('img', { name: /^Verlauf des Zählerstands von/ })).toBeVisible()
      await look(page)
      await page.goto(`/m/${letters.rosa.token}`)
      await heading(page, 'Schön, dass Sie da sind')
      await follow(page, `/ablesung/${meters.expired.id}`)
      await heading(page, meters.expired.number)
      await look(page)
    })

    test('the entry, its questions, and what waits for a network', async ({ page, request }) => {
      await page.goto(`/ablesung/${meters.due.id}`)
      await logIn(page, letters.mehmet)
      await heading(page, meters.due.number)
      const value = page.getByRole('textbox', { name: /^Zählerstand/ })
      await value.pressSequentially('000001')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Der Zählerstand ist kleiner als bei der letzten Ablesung.').first()).toBeVisible()
      await look(page)
      await page.getByRole('button', { name: 'Zählerstand senden' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await look(page)
      await page.keyboard.press('Escape')

      const job = (await jobsOf(request, letters.mehmet)).find(({ id }) => id === meters.due.id)
      if (!job) throw new Error('the meter is gone')
      // The page's own files still come: a text that was not needed yet is one of them.
      await page.route(/\/(api|auth)\//, (route) => route.abort())
      await value.fill(plausible(job).split(',')[0] ?? '')
      await page.getByRole('button', { name: 'Zählerstand senden' }).click()
      await expect(page.getByRole('dialog', { name: 'Keine Internetverbindung' })).toBeVisible()
      await look(page)
      await page.keyboard.press('Escape')
      await heading(page, 'Bereits abgelesen')
      await look(page)
      await page.getByRole('button', { name: 'Verwerfen' }).click()
      await expect(page.getByRole('dialog', { name: 'Ablesung verwerfen?' })).toBeVisible()
      await look(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Benutzermenü' }).click()
      await page.getByRole('button', { name: 'Abmelden' }).click()
      const question = page.getByRole('dialog', { name: 'Noch nicht alles gesendet' })
      await expect(question).toBeVisible()
      await look(page)
      await question.getByRole('button', { name: 'Löschen und abmelden' }).click()
      await heading(page, 'Zählerstand melden')
    })

    test('digital communication', async ({ page }) => {
      let types: string[] = []
      await page.route('**/api/pro/account/crm-registration-info', (route) =>
        route.fulfill({
          json: {
            registered: types.length > 0,
            currentConfirmedCommunicationTypes: types,
            selfServiceToken: 'abc',
            registrationUrl: 'https://crm.example.org/start',
          },
        }),
      )
      await page.goto('/')
      await logIn(page, letters.anna)
      await heading(page, /^Willkommen/)
      for (const registered of [[], ['EMAIL']]) {
        types = registered
        await page.goto('/')
        await page.locator('.communication-card').getByRole('button').click()
        await expect(page.getByRole('dialog').getByRole('link')).toBeVisible()
        await look(page)
      }
      let registration: object = {}
      await page.route('**/api/public/communication/abc', (route) => route.fulfill({ json: registration }))
      for (const state of ['none', 'pending', 'confirmed']) {
        const maskedEmail = state === 'none' ? null : 'a***@example.org'
        registration = { state, maskedEmail, reminders: state === 'confirmed' }
        // What is registered is asked anew by a new page.
        await page.goto('/registrierung/m/abc')
        await heading(page, 'Digitale Kommunikation')
        await page.getByRole('button', { name: 'Registrieren' }).click()
        await look(page)
      }
      await page.getByRole('button', { name: 'Registrierung beenden' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await look(page)
      await follow(page, '/registrierung/bestaetigen/abc')
      await heading(page, 'E-Mail-Adresse bestätigen')
      await look(page)
      await follow(page, '/abmelden/abc')
      await heading(page, 'Erinnerungen und Einladungen abbestellen')
      await look(page)
      await page.route('**/api/public/unsubscribe/abc', (route) => route.fulfill({ status: 204 }))
      await page.locator('.screen-message').getByRole('button').click()
      await expect(page.locator('.screen-message').getByRole('link')).toBeVisible()
      await look(page)
    })

    test('sharing and its management', async ({ page }) => {
      const share = `Barrierefrei ${name}`
      await page.goto('/management')
      await logIn(page, letters.manager)
      const actions = page.locator('.management__actions')
      await expect(actions.getByRole('button')).toHaveCount(2)
      await look(page)
      await actions.getByRole('button').first().click()
      const dialog = page.getByRole('dialog')
      const shareName = dialog.getByRole('textbox').first()
      await dialog.getByRole('checkbox').nth(1).check()
      await shareName.fill(' ')
      await look(page)
      await shareName.fill(share)
      await look(page)
      await dialog.locator('.dialog__actions').getByRole('button').first().click()
      const ways = dialog.getByRole('radio')
      await expect(ways.first()).toBeVisible()
      for (const way of await ways.all()) {
        await way.check()
        await look(page)
      }
      await ways.first().check()
      await dialog.getByRole('textbox').first().press('Control+a')
      await dialog.getByRole('textbox').first().press('Control+c')
      await dialog.locator('.share-close').getByRole('button').click()
      await page.getByRole('link', { name: share }).click()
      await heading(page, share)
      await look(page)
      for (const name of [/aus der Freigabe entfernen$/, 'Neue Zugangsdaten', 'Freigabe löschen']) {
        await page.locator('.share-detail').getByRole('button', { name }).first().click()
        await expect(dialog).toBeVisible()
        await look(page)
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
      }
    })
  })
}
