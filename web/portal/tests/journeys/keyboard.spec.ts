/** Journeys by keyboard alone: no click, no fill, no focus from outside. */
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { letters } from '../demo.ts'
import { press, tabTo } from '../keyboard.ts'
import { type Job, jobsOf, plausible, readings } from '../ledger.ts'
import { expect, test } from '../portal.ts'

const PHOTO = fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))

async function logIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await tabTo(page, page.getByLabel('Benutzername'))
  await page.keyboard.type(username)
  await tabTo(page, page.getByLabel('Passwort', { exact: true }), 1)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Benutzermenü' })).toBeVisible()
}

/** An open meter of the manager with one rate; the offline journeys begin at the other end. */
async function openMeter(request: Parameters<typeof jobsOf>[0]): Promise<Job> {
  const [job] = (await jobsOf(request, letters.manager))
    .filter(({ done, meter }) => !done && meter.meterRateTasks.length === 1 && meter.meterType === 'HEAT_METER')
    .toSorted((a, b) => a.id.localeCompare(b.id))
  if (!job) throw new Error('the manager has no open heat meter')
  return job
}

test('log in, search among 250 meters, open one, read it, send', async ({ page, request }) => {
  const job = await openMeter(request)
  await page.goto('/')
  await logIn(page, letters.manager)
  await press(page, page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Ablesung' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
  await tabTo(page, page.getByLabel('Zähler suchen'))
  await page.keyboard.type(job.meter.meterNumber)
  await expect(page.getByText('1 Zähler gefunden')).toBeAttached()
  const row = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link')
  await press(page, row)
  const meter = page.getByRole('region', { name: job.meter.meterNumber })
  await expect(meter).toBeFocused()

  // From here to the entry it is a few keys, however long the list is.
  await tabTo(page, page.getByRole('textbox', { name: /^Zählerstand/ }).first(), 6)
  await page.keyboard.type(plausible(job))
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Zählerstand senden' }))
  await expect(page.getByText('Senden erfolgreich')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeFocused()
  expect(readings(await jobsOf(request, letters.manager), [job.id])).toHaveLength(1)
})

test('search, open a meter, look at another one, and go back', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.mehmet)
  const search = page.getByLabel('Zähler suchen')
  await tabTo(page, search)
  await page.keyboard.type('gibt es nicht')
  await expect(page.getByText(/^Kein Zähler zu/)).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Suche löschen' }))
  await expect(search).toHaveValue('')
  const rows = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link')
  await press(page, rows.first())
  await expect(page.getByRole('region', { name: await rows.first().locator('strong').innerText() })).toBeFocused()
  // The browser's own key, which it does not take from a test.
  await page.goBack()
  await expect(page).toHaveURL('/ablesung')
  await tabTo(page, rows.first())
  await press(page, rows.nth(1))
  const second = page.getByRole('region', { name: await rows.nth(1).locator('strong').innerText() })
  await expect(second).toBeFocused()
  // After a reload the list is passed with one key.
  await page.reload()
  await expect(second).toBeVisible()
  await press(page, page.getByRole('link', { name: 'Zum geöffneten Zähler' }))
  await expect(second).toBeFocused()
})

test.describe('sharing', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('share what was found, copy the link, close', async ({ page }) => {
    await page.goto('/ablesung')
    await logIn(page, letters.manager)
    await tabTo(page, page.getByLabel('Zähler suchen'))
    await page.keyboard.type('bahnhofstraße 64b')
    await expect(page.getByText(/^\d+ Zähler gefunden$/)).toBeAttached()
    const share = page.getByRole('button', { name: 'Teilen' })
    await press(page, share)
    const form = page.getByRole('dialog', { name: 'Zähler teilen' })
    await expect(form).toBeVisible()
    await tabTo(page, form.getByLabel('Name des Zugangs'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Nur mit Tasten')
    await press(page, form.getByRole('button', { name: 'Alle auswählen' }))
    await press(page, form.getByRole('button', { name: /^Zugang für \d+ Zähler erstellen$/ }))
    const outcome = page.getByRole('dialog', { name: 'Zugang „Nur mit Tasten“' })
    // It is there for two seconds only.
    const said = outcome.getByText('In die Zwischenablage kopiert').waitFor()
    await press(page, outcome.getByRole('button', { name: 'Link zum Anmelden kopieren' }))
    await said
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/m\/\w+/)
    await press(page, outcome.getByRole('button', { name: 'Schließen' }).last())
    await expect(outcome).toBeHidden()
    await expect(share).toBeFocused()
  })
})

test('read a meter that is not in the list, with a photo', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.anna)
  await press(page, page.getByRole('link', { name: 'Weiteren Zähler ablesen' }))
  const send = page.getByRole('button', { name: 'Zählerstand senden' })
  await press(page, send)
  await expect(page.getByLabel('Zählernummer')).toBeFocused()
  await page.keyboard.type('1abc9901')
  await tabTo(page, page.getByRole('textbox', { name: 'Zählerstand: Ziffern vor dem Komma' }), 1)
  await page.keyboard.type('00123,4')
  const chooser = page.waitForEvent('filechooser')
  await press(page, page.getByRole('button', { name: 'Foto hinzufügen' }))
  await (await chooser).setFiles(PHOTO)
  await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await press(page, send)
  await expect(page.getByText('Zählerstand gesendet')).toBeVisible()
  await expect(page).toHaveURL('/ablesung')
})

test('log out, log in again, add a second account, switch between them', async ({ page, request }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  const menu = page.getByRole('button', { name: 'Benutzermenü' })
  await press(page, menu)
  await press(page, page.getByRole('button', { name: 'Abmelden' }))
  await expect(page.getByLabel('Benutzername')).toBeVisible()
  await logIn(page, letters.anna)
  await press(page, menu)
  await press(page, page.getByRole('link', { name: 'Weiteren Zugang anmelden' }))
  await logIn(page, letters.mehmet)
  await expect(page.getByRole('heading', { name: 'Ihre Zugänge' })).toBeVisible()
  await press(page, page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Ablesung' }))
  const picker = page.getByLabel('Zugang', { exact: true })
  await tabTo(page, picker)
  // The jobs of both have come.
  const count = async (letter: { username: string; password: string }) => (await jobsOf(request, letter)).length
  const total = (await count(letters.anna)) + (await count(letters.mehmet))
  await expect(page.getByText(new RegExp(`^\\d+ von ${total} abgelesen$`))).toBeVisible()
  await page.keyboard.type(letters.mehmet.name)
  await expect(page.getByText('0 von 6 abgelesen')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByText(new RegExp(`^\\d+ von ${total} abgelesen$`))).toBeVisible()
})
