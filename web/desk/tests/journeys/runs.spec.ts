/** A lead sees what went out, and brings files in. */

import { readFileSync, writeFileSync } from 'node:fs'
import type { Route } from '@playwright/test'
import { cells, unzip } from '../../../portal/src/testing/xlsx.ts'
import { operate } from '../../../portal/tests/operator.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { heading, support, test } from '../desk.ts'

// One thing goes on at a time in a utility: these journeys follow each other.
test.describe.configure({ mode: 'default' })

// What goes out of the other utility's readings is in the way of no other journey.
const OF_NEIGHBOUR = ['--tenant', 'nachbar']

// Readings that are there give way; a retry meets those of the first try, too.
const enter = async (value: number) => {
  const meter = '8SEN0300000001'
  const list = await operate('readings', 'list', '--find', meter, '--format', 'jsonl', ...OF_NEIGHBOUR)
  const before = list.split('\n').filter(Boolean)
  const replaces = before.flatMap((line) => ['--replaces', (JSON.parse(line) as { reading: string }).reading])
  const what = ['--channel', 'PHONE', '--value', `00${value.toFixed(3)}`, '--late', 'noch einmal angerufen']
  return operate('readings', 'enter', '--meter', meter, ...OF_NEIGHBOUR, ...what, ...replaces)
}

test('what a command or the desk writes stands among the exports; a file is fetched, and written once more', async ({
  page,
}, info) => {
  test.slow()
  await page.goto('/t/birkenfurt/exports')
  await heading(page, 'Exporte')
  await expect(page.getByText('Bisher ging nichts hinaus.')).toBeVisible()

  const value = 350.125 + 10 * info.retry
  await enter(value)
  await operate('readings', 'export', '--new', '--preset', 'plain', '--dir', info.outputPath('out'), ...OF_NEIGHBOUR)
  await page.goto('/t/nachbar/customers')
  await heading(page, 'Kunden suchen')
  await page.getByRole('navigation').getByRole('link', { name: 'Exporte' }).click()
  await heading(page, 'Exporte')
  await expect(page.getByRole('row', { name: /^\d+ Tabelle .* vollständig 1 / }).first()).toBeVisible()

  await enter(value + 2)
  await page.getByRole('button', { name: 'Neuer Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Neuer Export' })
  await expect(dialog.getByLabel('Exportvorlage')).toHaveValue('plain')
  await expectNoViolation(page)
  await dialog.getByRole('button', { name: 'Export starten' }).click()
  await expect(dialog).toBeHidden()
  // The member need not stay for it.
  await page.goto('/t/nachbar/customers')
  await heading(page, 'Kunden suchen')
  await page.goto('/t/nachbar/exports')
  const made = page.getByRole('row', { name: /Jonas Reuter Stände zu Aufträgen · Einfache Tabelle readings-/ }).first()
  await expect(made).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ein Export läuft' })).toHaveCount(0)
  const fetched = page.waitForEvent('download')
  await made.getByRole('button', { name: /^readings-\d{8}\.csv\b/ }).click()
  await (await fetched).saveAs(info.outputPath('readings.csv'))
  const rows = readFileSync(info.outputPath('readings.csv'), 'utf8').split('\r\n')
  const counter = (value + 2).toFixed(3).replace('.', ',')
  expect(rows.filter((row) => row.includes(counter))).toHaveLength(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
  // What a network between answers in the file's place does not replace the page.
  const proxy = (route: Route) =>
    route.request().resourceType() === 'document'
      ? route.fulfill({ contentType: 'text/html', body: '<title>Proxy</title>' })
      : route.fallback()
  await page.route('**/*', proxy)
  await made.getByRole('button', { name: /^readings-\d{8}\.csv\b/ }).click()
  await expect(page.getByRole('alert')).toContainText(/sie ist nicht mehr da, oder ein Netz dazwischen/)
  await page.unroute('**/*', proxy)
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Neuer Export' }).click()
  await page.getByRole('button', { name: 'Export starten' }).click()
  await expect(page.getByText('Es gab nichts Neues; keine Datei.').first()).toBeVisible()

  await page
    .getByRole('button', { name: /^Export \d+ noch einmal$/ })
    .first()
    .click()
  const again = page.getByRole('dialog', { name: /^Export \d+ noch einmal schreiben$/ })
  await again.getByLabel('Exportvorlage').selectOption('SAP IS-U (CSV)')
  await again.getByRole('button', { name: 'Export starten' }).click()
  await expect(page.getByRole('row', { name: /Export \d+ noch einmal · SAP IS-U readings-/ }).first()).toBeVisible()
})

test('a file is mapped, rehearsed, imported and taken back; its mapping is kept', async ({ page }, info) => {
  test.slow()
  const meter = `77${info.retry}`
  const lines = [
    'Kd-Nr;Ableseauftrag;Zählernummer;Art;Kennzahl;Vertrag;Straße;Hausnummer',
    `n-1;datei-${meter}-1;${meter}1;Wärme;6-0:1.0.0;V1;Kirchplatz;2`,
    `n-1;datei-${meter}-2;${meter}2;Wärme;6-0:1.0.0;V2;Kirchplatz;2`,
    `n-9${info.retry};datei-${meter}-3;${meter}3;Wärme;6-0:1.0.0;V3;Kirchplatz;2`,
  ]
  const name = `aufträge-${meter}.csv`
  await page.goto('/t/nachbar/customers')
  await heading(page, 'Kunden suchen')
  await page.getByRole('navigation').getByRole('link', { name: 'Importe' }).click()
  await heading(page, 'Importe')
  await expectNoViolation(page)
  const send = async (content: string, file: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: file, mimeType: 'text/csv', buffer: Buffer.from(content, 'utf8') })
  await send('%PDF-1.7', 'brief.pdf')
  await expect(page.getByText('weder eine Tabelle (CSV oder XLSX)')).toBeVisible()
  await page.getByRole('link', { name: 'Zu den Importen' }).click()
  await heading(page, 'Importe')
  await send(lines.join('\r\n'), name)
  await heading(page, name)
  await expect(page.getByText('3 Zeilen · 8 Spalten · Zeichensatz UTF-8 · Trennzeichen Semikolon')).toBeVisible()

  // Two columns have unusual names.
  const field = (column: string) => page.getByLabel(`Feld der Spalte ${column}`)
  await expect(field('Kennzahl')).toHaveValue('meter.meterRateTasks[].obis')
  await expect(field('Kd-Nr')).toHaveValue('accountId')
  await expect(field('Art')).toHaveValue('meter.meterType')
  await expect(page.getByLabel('„Wärme“ heißt')).toHaveValue('HEAT_METER')
  await field('Kd-Nr').selectOption('')
  await expect(page.getByText('Noch keiner Spalte zugeordnet: Zugang')).toBeVisible()
  await field('Kd-Nr').selectOption('accountId')
  await field('Vertrag').selectOption({ label: 'unverändert durchreichen (kommt im Export zurück)' })
  await page.getByRole('button', { name: 'Zuordnung aufbewahren …' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Nachbarwerke')
  await page.getByRole('dialog').getByRole('button', { name: 'Aufbewahren' }).click()
  await expect(page.getByLabel('Aufbewahrte Zuordnung')).toHaveValue('Nachbarwerke')
  await expectNoViolation(page)
  await page.getByRole('button', { name: 'Zuordnung löschen …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click()
  await expect(page.getByLabel('Aufbewahrte Zuordnung')).toHaveCount(0)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.getByRole('button', { name: 'Probe starten' }).click()
  const outcome = page.getByRole('region', { name: 'Ergebnis der Probe' })
  await expect(outcome.getByText('2 neu, 1 fehlerhaft')).toBeVisible()
  await expect(outcome.getByText('Zeile 4: Kd-Nr: es gibt keinen Zugang')).toBeVisible()
  const fetched = page.waitForEvent('download')
  await outcome.getByRole('button', { name: 'fehler.xlsx' }).click()
  const faults = info.outputPath('fehler.xlsx')
  await (await fetched).saveAs(faults)
  const sheet = unzip(readFileSync(faults)).get('xl/worksheets/sheet1.xml') ?? ''
  expect(cells(sheet)[1]?.slice(0, 3)).toEqual([
    'A2=4',
    expect.stringMatching(/^B2=Kd-Nr: es gibt keinen/),
    `C2=n-9${info.retry}`,
  ])
  await expectNoViolation(page)

  // What was changed since was not rehearsed; a member who comes back finds what was chosen.
  await field('Vertrag').selectOption('')
  await expect(outcome.getByRole('button', { name: 'Importieren …' })).toBeDisabled()
  await page.reload()
  await expect(field('Vertrag')).toHaveValue('*')
  // The page came by its address, without the list of imports and what that brings along.
  await expect(page.locator('.meanings')).toHaveCSS('display', 'grid')
  await outcome.getByRole('button', { name: 'Importieren …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Importieren' }).click()
  const imported = page.getByRole('region', { name: 'Ergebnis des Imports' })
  await expect(imported.getByText('2 neu, 1 fehlerhaft', { exact: true })).toBeVisible()
  // Of the whole window Firefox's own list of what it saved has the focus.
  const outcomeHeading = imported.getByRole('heading', { name: 'Ergebnis des Imports' })
  await expect.poll(() => outcomeHeading.evaluate((it) => it === document.activeElement)).toBe(true)

  // The customer comes afterwards; the list of faults is sent as it is, and has the one line.
  const account = { id: `n-9${info.retry}`, name: 'Neue Kundin' }
  writeFileSync(info.outputPath('account.jsonl'), JSON.stringify(account))
  await operate(
    'accounts',
    'import',
    info.outputPath('account.jsonl'),
    '--letters',
    info.outputPath('letter.jsonl'),
    ...OF_NEIGHBOUR,
  )
  await page.getByRole('link', { name: 'Zu den Importen' }).click()
  await heading(page, 'Importe')
  await page.locator('input[type=file]').setInputFiles(faults)
  await heading(page, 'fehler.xlsx')
  await expect(page.getByText('eine Zeile · 10 Spalten · Arbeitsmappe, Blatt „Sheet1“ (1 von 1)')).toBeVisible()
  await expect(page.getByText('Aus der Fehlerliste; die Spalte wird nicht importiert.')).toHaveCount(2)
  await expect(page.getByText(`mit der zuletzt eine solche Tabelle importiert wurde: „${name}“`)).toBeVisible()
  await expect(page.getByText('Die Datei zählt alle Aufträge der Saison auf')).toHaveCount(0)
  await page.getByRole('button', { name: 'Probe starten' }).click()
  await expect(outcome.getByText('1 neu', { exact: true })).toBeVisible()
  await expectNoViolation(page)

  // The next file has other heads: what the mapping lacks is said before a line is judged.
  await page.getByRole('link', { name: 'Zu den Importen' }).click()
  await heading(page, 'Importe')
  await send(lines.join('\r\n').replace('Kd-Nr', 'Wer').replace(';Art;', ';Sparte;'), 'anders.csv')
  await heading(page, 'anders.csv')
  const gone = page.getByText(`Die Zuordnung „${name}“ passt nicht mehr ganz zu dieser Datei:`)
  await expect(gone).toContainText('Spalte „Kd-Nr“ (Zugang) fehlt oder steht zweimal da. Wählen Sie unten eine andere')
  await expect(gone).toContainText('fehlt oder steht zweimal da; vorgeschlagen ist stattdessen „Sparte“.')
  await expect(field('Sparte')).toHaveValue('meter.meterType')
  await expect(page.getByLabel('„Wärme“ heißt')).toHaveValue('HEAT_METER')
  await expect(page.getByText('Noch keiner Spalte zugeordnet: Zugang')).toBeVisible()
  await expectNoViolation(page)

  // Of a file in which no line is right there is nothing to import.
  await page.getByRole('link', { name: 'Zu den Importen' }).click()
  await heading(page, 'Importe')
  await send([lines[0], lines[1]?.replace('n-1', 'niemand')].join('\r\n'), 'leer.csv')
  await heading(page, 'leer.csv')
  await page.getByRole('button', { name: 'Probe starten' }).click()
  await expect(page.getByText('Keine Zeile kann importiert werden.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Importieren …' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Zu den Importen' }).click()
  await page.getByRole('button', { name: `Import von ${name} zurücknehmen (2 neu, begonnen ` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Zurücknehmen' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`${name} zurückgenommen am`) })).toBeVisible()
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
})

test('an import that is cancelled says what is done and what is not, and goes on there', async ({ page }, info) => {
  test.slow()
  const name = `zugaenge-${info.retry}.csv`
  const row = (line: number) => `stop-${info.retry}-${line};Name ${line};stop.${info.retry}.${line};Sonnenblume-${line}`
  const rows = Array.from({ length: 1_500 }, (_, line) => row(line))
  const table = ['Kundennummer;Name;Benutzername;Passwort', ...rows].join('\n')
  await page.goto('/t/nachbar/imports')
  await heading(page, 'Importe')
  await page.getByLabel('Inhalt').selectOption('Zugänge')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(table, 'utf8') })
  await heading(page, name)
  await page.getByRole('button', { name: 'Probe starten' }).click()
  await page.getByRole('button', { name: 'Importieren …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Importieren' }).click()
  await expect(page.getByRole('progressbar', { name: 'Ein Import läuft' })).toBeVisible()
  await page.getByRole('button', { name: 'Abbrechen …' }).click()
  await page.getByRole('button', { name: 'Jetzt abbrechen' }).click()
  const outcome = page.getByRole('region', { name: 'Ergebnis des Imports' })
  const told = outcome.getByText(/^Abgebrochen\. [\d.]+ von 1\.500 Zeilen sind erledigt, alles vor Zeile \d+\./)
  await expect(told).toBeVisible()
  await expect(outcome.getByText(/^Bis dahin: [\d.]+ neu$/)).toBeVisible()
  await expectNoViolation(page)
  await page.setViewportSize({ width: 320, height: 900 })
  expect(await widerBy(page)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('link', { name: 'Zu den Importen' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`${name} nicht beendet [\\d.]+ neu`) })).toBeVisible()
  await page.goBack()
  await outcome.getByRole('button', { name: 'Fortsetzen' }).click()
  await expect(outcome.getByText('1.500 neu', { exact: true })).toBeVisible({ timeout: 200_000 })
})

test('a new customer comes in without login data, and gets them with a letter that is handed over', async ({
  page,
}, info) => {
  test.slow()
  const id = `brief-${info.retry}`
  await page.goto('/t/nachbar/imports')
  await heading(page, 'Importe')
  await page.getByLabel('Inhalt').selectOption('Zugänge')
  const table = `Kundennummer;Vorname;Nachname\r\n${id};Eva;Rauch\r\n`
  const name = `kunden-${info.retry}.csv`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(table, 'utf8') })
  await heading(page, name)
  await expect(page.getByLabel('Feld der Spalte Nachname')).toHaveValue('name')
  await page.getByRole('button', { name: 'Probe starten' }).click()
  await expect(page.getByRole('region', { name: 'Ergebnis der Probe' }).getByText('1 neu')).toBeVisible()
  await page.getByRole('button', { name: 'Importieren …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Importieren' }).click()
  await expect(page.getByRole('region', { name: 'Ergebnis des Imports' }).getByText('1 neu')).toBeVisible()

  const job = {
    accountId: id,
    id: `job-${id}`,
    meter: { meterNumber: `9BRF${info.retry}`, meterRateTasks: [{ taskId: 't1', obis: '8-0:1.0.0' }] },
    customer: {
      customerNumber: id,
      lastname: 'Rauch',
      mailingAddress: { street: 'Am Markt', houseNumber: '1', zip: '01234', city: 'Nachbarstadt' },
    },
  }
  writeFileSync(info.outputPath('jobs.jsonl'), JSON.stringify(job))
  await operate('jobs', 'import', info.outputPath('jobs.jsonl'), ...OF_NEIGHBOUR)

  await page.getByRole('navigation').getByRole('link', { name: 'Anschreiben' }).click()
  await heading(page, 'Anschreiben')
  await page.getByText('alle Kunden mit offenen Aufträgen').click()
  await page.getByRole('button', { name: 'Wer bekommt einen?' }).click()
  await expect(page.getByText(/^Stand vom .* davon mit neuen Zugangsdaten/)).toBeVisible()
  await expectNoViolation(page)
  const print = async () => {
    await page.getByRole('button', { name: 'Briefe drucken …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Drucken' }).click()
    await expect(page.getByRole('heading', { name: 'Gedruckt, noch nicht freigegeben' })).toBeVisible()
  }
  await print()
  await expect(page.getByRole('button', { name: 'Briefe drucken …' })).toBeDisabled()
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Zurückrufen …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Zurückrufen' }).click()
  await expect(page.getByRole('row', { name: /zurückgerufen von Jonas Reuter/ }).first()).toBeVisible()
  await print()
  const drawn = page.getByRole('region', { name: 'Gedruckt, noch nicht freigegeben' })
  const fetched = page.waitForEvent('download')
  await drawn.getByRole('button', { name: 'anschreiben-001.csv' }).click()
  await (await fetched).saveAs(info.outputPath('letters.csv'))
  const rows = readFileSync(info.outputPath('letters.csv'), 'utf8').split('\r\n')
  const heads = rows[0]?.split(';') ?? []
  const username = rows.find((row) => row.includes(`;${id};`))?.split(';')[heads.indexOf('username')] ?? ''
  expect(username).toMatch(/^[a-z2-9]{8,}$/)
  await page.getByRole('button', { name: 'Freigeben …' }).click()
  // While a page has a frame, as after a download, axe does not see that what is behind a dialog cannot be reached.
  await expectNoViolation(page, { without: ['landmark-unique'] })
  await page.getByRole('dialog').getByRole('button', { name: 'Freigeben' }).click()
  await expect(
    page.getByRole('row', { name: /Briefe freigegeben .*davon mit neuen Zugangsdaten/ }).first(),
  ).toBeVisible()
  const link = rows.find((row) => row.includes(`;${id};`))?.split(';')[heads.indexOf('link')] ?? ''
  await page.getByLabel('QR-Code oder Zugang').fill(link)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Eva Rauch' }).click()
  await heading(page, 'Eva Rauch')
  await expect(page.getByText(username, { exact: true })).toBeVisible()
  await expect(page.getByText(/Anschreiben zur Ablesung · Jonas Reuter/)).toBeVisible()
  await expect(page.getByText('Letztes Anschreiben kam zurück')).toBeVisible()
  await page.getByRole('button', { name: 'Anschrift stimmt wieder' }).click()
  await expect(page.getByText('Letztes Anschreiben kam zurück')).toHaveCount(0)
})

// Firefox's own list of what it saved takes the focus.
test(
  'from the list of who has not answered letters and mails go to exactly these customers',
  { tag: '@chromium' },
  async ({ page }, info) => {
    test.slow()
    const district = `Hafen${info.retry}`
    const customer = (id: string, cityDistrict: string) => {
      const address = { street: 'Am Kai', houseNumber: '1', zip: '01234', city: 'Nachbarstadt', cityDistrict }
      const meter = {
        meterNumber: `9${id}`,
        meterAddress: address,
        meterRateTasks: [{ taskId: 't1', obis: '8-0:1.0.0' }],
      }
      const { cityDistrict: _, ...mailingAddress } = address
      return { accountId: id, id: `job-${id}`, meter, customer: { customerNumber: id, lastname: id, mailingAddress } }
    }
    const [here, there] = [`hafen-${info.retry}`, `hof-${info.retry}`]
    const accounts = [here, there].map((id) => ({ id, name: id, email: `${id}@example.org` }))
    writeFileSync(info.outputPath('accounts.jsonl'), accounts.map((one) => JSON.stringify(one)).join('\n'))
    const jobs = [customer(here, district), customer(there, 'Hof')].map((one) => JSON.stringify(one))
    writeFileSync(info.outputPath('jobs.jsonl'), jobs.join('\n'))
    await operate('accounts', 'import', info.outputPath('accounts.jsonl'), ...OF_NEIGHBOUR)
    await operate('jobs', 'import', info.outputPath('jobs.jsonl'), ...OF_NEIGHBOUR)

    await page.goto('/t/nachbar/open')
    await heading(page, 'Offene Ablesungen')
    await page.getByLabel('PLZ, Ort oder Bezirk beginnt mit').fill(district)
    await expect(page.getByText('Ein Zähler ist offen')).toBeVisible()
    await expectNoViolation(page)
    await page.getByRole('link', { name: 'Briefe an diese Auswahl' }).click()
    await heading(page, 'Anschreiben')
    await expect(page.getByRole('radio', { name: 'eine Auswahl aus den offenen Ablesungen' })).toBeChecked()
    await expect(page.getByLabel('PLZ, Ort oder Bezirk beginnt mit')).toHaveValue(district)
    const chosen = `Auswahl: PLZ, Ort oder Bezirk beginnt mit „${district}“`
    await page.getByText('alle Kunden mit offenen Aufträgen').click()
    await page.getByRole('button', { name: 'Wer bekommt einen?' }).click()
    await expect(page.getByText(/^Stand vom .*: ein Brief, einer davon mit neuen Zugangsdaten$/)).toBeVisible()
    await expect(page.getByRole('row', { name: new RegExp(`Wer einen Brief bekäme · ${chosen}`) })).toBeVisible()
    await expectNoViolation(page)
    for (const width of [320, 768]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: 'Briefe drucken …' }).click()
    await expect(page.getByRole('dialog').getByText(chosen)).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Drucken' }).click()
    const drawn = page.getByRole('region', { name: 'Gedruckt, noch nicht freigegeben' })
    const fetched = page.waitForEvent('download')
    await drawn.getByRole('button', { name: 'anschreiben-001.csv' }).click()
    await (await fetched).saveAs(info.outputPath('letters.csv'))
    const rows = readFileSync(info.outputPath('letters.csv'), 'utf8').trim().split('\r\n')
    expect(rows).toHaveLength(2)
    expect(rows[1]).toContain(`;${here};`)
    await drawn.getByRole('button', { name: 'Zurückrufen …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Zurückrufen' }).click()
    await expect(page.getByRole('row', { name: new RegExp(`Briefe gedruckt · ${chosen}`) }).first()).toBeVisible()

    await page.getByRole('link', { name: 'Diese Zähler ansehen' }).click()
    await heading(page, 'Offene Ablesungen')
    await page.getByRole('link', { name: 'Einladungen per E-Mail an diese Auswahl' }).click()
    await expect(page.getByRole('heading', { name: 'Einladungen per E-Mail' })).toBeFocused()
    await page.getByRole('button', { name: 'Jetzt einladen …' }).click()
    await expect(page.getByRole('dialog').getByText(chosen)).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Einladungen versenden' }).click()
    const invited = page.getByRole('row', { name: new RegExp(`Einladungen · ${chosen}`) })
    await expect(invited.getByText(/^1 versendet/)).toBeVisible()

    // A selection without open meters is refused, and says so.
    await page.getByLabel('PLZ, Ort oder Bezirk beginnt mit').fill(`${district}ende`)
    await page.getByRole('button', { name: 'Wer wird eingeladen?' }).click()
    const refusal = page.getByRole('region', { name: 'Einladungen per E-Mail' }).getByRole('alert')
    await expect(refusal.getByText(/^In dieser Auswahl ist kein Zähler offen\./)).toBeVisible()
    await expectNoViolation(page)

    await page.goBack()
    await heading(page, 'Offene Ablesungen')
    await page.getByRole('link', { name: 'Erinnerungen an diese Auswahl' }).click()
    await heading(page, 'Erinnerungen')
    await expect(page.getByLabel('PLZ, Ort oder Bezirk beginnt mit')).toHaveValue(district)
    await page.getByRole('button', { name: 'Wer ist an der Reihe?' }).click()
    const due = page.getByRole('row', { name: new RegExp(`Wer an der Reihe ist · ${chosen}`) })
    await expect(due.getByText('niemand ist an der Reihe')).toBeVisible()
    await expectNoViolation(page)
  },
)

test('a lead sees who is due, and reminds them', async ({ page }) => {
  await page.goto('/t/birkenfurt/customers')
  await heading(page, 'Kunden suchen')
  await page.getByRole('navigation').getByRole('link', { name: 'Erinnerungen' }).click()
  await heading(page, 'Erinnerungen')
  await expect(page.getByText('Ab 14 Tagen vor der Frist')).toBeVisible()
  await page.getByRole('button', { name: 'Wer ist an der Reihe?' }).click()
  await expect(page.getByRole('row', { name: /Wer an der Reihe ist (niemand|ein Kunde|\d+ Kunden)/ })).toBeVisible()
  // It could not be pressed meanwhile, and kept the focus all the same.
  await expect(page.getByRole('button', { name: 'Wer ist an der Reihe?' })).toBeFocused()
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Jetzt erinnern …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Jetzt erinnern?' })
  await expect(dialog.getByText(/^Zuletzt war/)).toBeVisible()
  await expectNoViolation(page)
  await dialog.getByRole('button', { name: 'Abbrechen' }).click()
  await expect(dialog).toBeHidden()
})

test.describe('whoever leads nothing', () => {
  test.use({ member: support })

  test('sees neither exports, imports nor letters', async ({ page }) => {
    await page.goto('/t/birkenfurt/customers')
    await heading(page, 'Kunden suchen')
    await expect(page.getByRole('link', { name: 'Eingabe' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Exporte' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Importe' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Anschreiben' })).toHaveCount(0)
  })
})
