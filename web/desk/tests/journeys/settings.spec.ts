/** A lead changes what the portal says and how it looks, puts it into effect and takes it back. */
import type { Page } from '@playwright/test'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { heading, support, test } from '../desk.ts'

// They change the settings of one utility, one after the other.
test.describe.configure({ mode: 'default' })

const open = async (page: Page, part: string) => {
  await page.goto(`/t/nachbar/settings/${part}`)
  await heading(page, 'Einstellungen')
}

// No file is ever saved over WebDriver BiDi.
test('a text is drafted, compared, put into effect and taken back', { tag: '@chromium' }, async ({ page }, info) => {
  const greeting = `Moin bei {{name}} (${info.retry})`
  await open(page, 'texts')
  await page.getByLabel('Suchen in Texten und Schlüsseln').fill('willkommen bei')
  const mine = page.getByLabel('Eigener Text für home.welcome')
  const write = page.getByRole('button', { name: 'Eigenen schreiben: home.welcome' })
  await expect(mine.or(write)).toBeVisible()
  if (await write.isVisible()) {
    await write.click()
    await expect(mine).toBeFocused()
  }
  await mine.fill(greeting)
  await mine.press('Tab')
  await expect(page.getByRole('heading', { name: '1 Datei ist geändert und noch nicht in Kraft' })).toBeVisible()
  await expectNoViolation(page)

  const letter = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Anschreiben ansehen' }).click()
  expect((await letter).suggestedFilename()).toBe('muster-anschreiben.pdf')

  // A member who comes later finds the draft.
  await open(page, 'portal')
  const days = page.getByLabel('Tage zwischen zwei Erinnerungen')
  const others = String(Number(await days.inputValue()) + 1)
  await days.fill(others)
  await days.press('Tab')
  await expect(page.getByRole('heading', { name: '2 Dateien sind geändert und noch nicht in Kraft' })).toBeVisible()
  await page.getByRole('button', { name: 'In Kraft setzen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Änderungen in Kraft setzen?' })
  await expect(dialog.getByRole('row', { name: /^Texte home\.welcome/ })).toContainText(greeting)
  // As the field is called, not as the file calls it.
  const named = dialog.getByRole('row', { name: /^Portal und Arbeit › Erinnerungen Tage zwischen zwei Erinnerungen / })
  await expect(named).toContainText(others)
  await expectNoViolation(page)
  await dialog.getByRole('button', { name: 'In Kraft setzen' }).click()
  await expect(page.getByText('Die Einstellungen sind in Kraft.')).toBeVisible()
  await expect(page.getByText('Nichts ist geändert.')).toBeVisible()

  await open(page, 'versions')
  await expect(
    page.getByRole('row', { name: /Jonas Reuter tenant\.json, translations\/de-FORMAL\.json in Kraft/ }).first(),
  ).toBeVisible()
  const before = page.getByRole('row').nth(2)
  await before.getByRole('button', { name: 'Vergleichen' }).click()
  await expect(page.getByRole('region', { name: 'Was damals anders war' })).toContainText(greeting)
  await expectNoViolation(page)
  await before.getByRole('button', { name: 'Zurück zu dieser' }).click()
  await page.getByRole('button', { name: 'Als Entwurf bereitlegen' }).click()
  await expect(page.getByText('Die Dateien dieser Version stehen als Entwurf bereit.')).toBeVisible()
  await page.getByRole('button', { name: 'In Kraft setzen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'In Kraft setzen' }).click()
  await expect(page.getByText('Die Einstellungen sind in Kraft.')).toBeVisible()
})

test('what is wrong is said where it is, stays as it was typed, and is not put into effect', async ({ page }) => {
  await open(page, 'look')
  const color = page.getByLabel('Knöpfe und Verweise')
  const fine = await color.inputValue()
  await color.fill('#ffff00')
  await color.press('Tab')
  await expect(page.getByText('So kann es nicht in Kraft treten, denn ein Fehler ist darin:')).toBeVisible()
  await expect(page.getByText('Kontrast zu weißer Schrift nur 1,07 zu 1; nötig sind 4,5 zu 1.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'In Kraft setzen' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Im Portal ansehen' })).toBeDisabled()
  await page.reload()
  await expect(color).toHaveValue('#ffff00')
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }

  await color.fill(fine)
  await color.press('Tab')
  await expect(page.getByText('Nichts ist geändert.')).toBeVisible()
})

test('a file that is no document any more can be mended, and all parts can be read', async ({ page }) => {
  await open(page, 'files')
  await page.getByLabel('Datei', { exact: true }).selectOption('contact.json')
  const content = page.getByLabel('Inhalt von contact.json')
  await content.fill('[{')
  await content.press('Tab')
  await expect(page.getByRole('heading', { name: '1 Datei ist geändert und noch nicht in Kraft' })).toBeVisible()
  await expect(page.getByText('So kann es nicht in Kraft treten')).toBeVisible()
  await open(page, 'contact')
  await expect(page.getByText('contact.json ist zurzeit kein lesbares Dokument.')).toBeVisible()
  await page.getByRole('button', { name: 'Verwerfen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Verwerfen' }).click()
  await expect(page.getByText('Nichts ist geändert.')).toBeVisible()
  for (const part of ['portal', 'help', 'contact', 'mails', 'visitors', 'accessibility']) {
    await open(page, part)
    await expectNoViolation(page)
    await page.setViewportSize({ width: 320, height: 900 })
    expect(await widerBy(page), part).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 900 })
  }
})

test('a mail says what the tenant writes, and is seen before; what it needs cannot be left out', async ({ page }) => {
  await open(page, 'mails')
  await page.getByLabel('Was', { exact: true }).selectOption('E-Mail: Erinnerung')
  const mail = page.frameLocator('iframe')
  await expect(mail.getByText('uns fehlt noch der Stand eines Zählers.')).toBeVisible()
  // Its looks come with it, although the page's policy takes no styles from text.
  await expect(mail.getByText('Zum Ableseportal', { exact: true })).toHaveCSS('font-weight', '700')
  await expect(mail.getByText('Erinnerungen abbestellen')).toBeVisible()
  const text = page.getByLabel('Text', { exact: true })
  await text.fill('Ihr Stand fehlt. <b>Bitte</b> bald!')
  await text.press('Tab')
  await expect(page.getByText('{day} fehlt', { exact: true })).toBeVisible()
  await expect(page.getByText('Zu sehen, sobald kein Entwurf mehr einen Fehler hat.')).toBeVisible()
  await text.fill('Ihr Stand fehlt. <b>Bitte</b> bis {day}!')
  await text.press('Tab')
  await expect(mail.getByText('Ihr Stand fehlt. <b>Bitte</b> bis ')).toBeVisible()
  await page.getByText('mehrere Zähler', { exact: true }).click()
  await expect(mail.getByText('uns fehlen noch die Stände von 2 Zählern.')).toBeVisible()
  await expectNoViolation(page)
  await page.setViewportSize({ width: 320, height: 900 })
  expect(await widerBy(page)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Verwerfen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Verwerfen' }).click()
  await expect(page.getByText('Nichts ist geändert.')).toBeVisible()
})

test('exports begin by themselves once that is in effect', async ({ page }) => {
  await open(page, 'exports')
  const first = page.getByRole('region', { name: 'Export 1' })
  while (await first.isVisible()) {
    await first.getByRole('button', { name: 'Entfernen' }).click()
    await expect(page.getByText('wird gemerkt')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Export hinzufügen' }).click()
  await first.getByLabel('Wie oft').selectOption('jede Woche')
  await first.getByLabel('Tag').selectOption('Freitag')
  await first.getByLabel('Uhrzeit').selectOption('22 Uhr')
  // Its webhook and its partners in the market are none that could hear of it.
  await page.getByText('Dem Webhook melden').click()
  await expect(page.getByText('braucht einen Webhook (webhook.url)', { exact: true })).toBeVisible()
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByLabel('Adresse (https)').fill('https://erp.gemeindewerke-nachbarau.example/zaehlwerk')
  await page.getByLabel('Adresse (https)').press('Tab')
  await expect(page.getByText('braucht einen Webhook (webhook.url)', { exact: true })).toHaveCount(0)
  await page.getByLabel('Adresse (https)').fill('')
  await page.getByLabel('Adresse (https)').press('Tab')
  await page.getByText('Dem Webhook melden').click()
  await expect(page.getByText('braucht einen Webhook (webhook.url)', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'In Kraft setzen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'In Kraft setzen' }).click()
  await expect(page.getByText('Die Einstellungen sind in Kraft.')).toBeVisible()
  await page.goto('/t/nachbar/exports')
  await expect(page.getByRole('listitem').filter({ hasText: 'jeden Freitag um 22 Uhr' })).toContainText(
    'Stände zu Aufträgen · Einfache Tabelle',
  )
  await expectNoViolation(page)
})

test.describe('who leads nothing', () => {
  test.use({ member: support })

  test('finds no settings', async ({ page }) => {
    await page.goto('/t/birkenfurt/customers')
    await heading(page, 'Kunden suchen')
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Einstellungen' })).toHaveCount(0)
  })
})
