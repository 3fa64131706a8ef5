/** A season of a utility that was not there, in the browser alone: from its making to its last job. */
import { readFileSync } from 'node:fs'
import type { Browser, Page, TestInfo } from '@playwright/test'
import { cells, unzip } from '../../../portal/src/testing/xlsx.ts'
import { day } from '../../../portal/tests/day.ts'
import { linkInMail, mailsTo, newAddress } from '../../../portal/tests/mails.ts'
import { expect, logIn as logInAtPortal } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, heading, logIn, type Member, newPerson, platform, test } from '../desk.ts'
import { accounts, jobs, meters, readJobs, type Table } from './files.ts'
import { look } from './look.ts'

test.use({ member: null, expectedErrors: [AT_LOGIN] })

const NAME = 'Stadtwerke Neustadt'
const SEASON = 'Jahresablesung'

/** What the walk goes through, with the season's lead before the page. */
interface Walk {
  page: Page
  browser: Browser
  info: TestInfo
  tenant: string
  /** Where the desk is. */
  desk: string
  /** Where the tenant's portal is. */
  portal: string
}

/** Says how long a step took. */
async function step(what: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now()
  await work()
  console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${what}`)
}

/** Another person's browser, at which only they are logged in. */
const browserOf = async ({ browser }: Pick<Walk, 'browser'>): Promise<Page> =>
  (await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })).newPage()

const area = ({ page }: Pick<Walk, 'page'>, name: string) =>
  page.getByRole('navigation', { name: 'Bereiche' }).getByRole('link', { name, exact: true }).click()

/** Comes by the link of the mail, logs in, and accepts. */
async function accept(page: Page, desk: string, person: Member, told: string): Promise<void> {
  await logIn(page, desk + (await linkInMail(person.email, 2, '/invitation/')), person)
  await expect(page.getByText(told)).toBeVisible()
  await look(page, `einladung-${person.name}`)
  await page.getByRole('button', { name: 'Einladung annehmen' }).click()
  await heading(page, 'Kunden suchen')
}

/** Those who run the product make the utility and invite its first lead. */
async function found(walk: Walk, lead: Member): Promise<void> {
  const page = await browserOf(walk)
  await logIn(page, walk.desk, platform)
  await heading(page, 'Versorger')
  await look(page, 'versorger')
  await page.getByRole('button', { name: 'Neuer Versorger …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Neuer Versorger' })
  await dialog.getByLabel('Name', { exact: true }).fill(NAME)
  await dialog.getByLabel('Kennung').fill(walk.tenant)
  await dialog.getByLabel('Hostname').fill(`${walk.tenant}.localhost`)
  await dialog.getByLabel('Absender der E-Mails').fill('zaehler@gemeindewerke-nachbarau.example')
  await look(page, 'neuer-versorger')
  await dialog.getByRole('button', { name: 'Anlegen' }).click()
  await heading(page, NAME)
  await page.getByRole('button', { name: 'Leitung einladen …' }).click()
  const invite = page.getByRole('dialog', { name: 'Leitung einladen' })
  await invite.getByLabel('E-Mail-Adresse').fill(lead.email)
  await invite.getByRole('button', { name: 'Einladung senden' }).click()
  await expect(page.getByText(`Die Einladung an ${lead.email} ist unterwegs.`)).toBeVisible()
  await look(page, 'versorger-neu')
  await page.context().close()
}

/** The lead brings colleagues in. */
async function invite(walk: Walk, person: Member, role: string): Promise<Page> {
  const { page } = walk
  await area(walk, 'Mitglieder')
  await page.getByRole('button', { name: 'Einladen …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mitglied einladen' })
  await dialog.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(person.email)
  await dialog.getByText(new RegExp(`^${role}: `)).click()
  await dialog.getByRole('button', { name: 'Einladung senden' }).click()
  await expect(page.getByText(`Die Einladung an ${person.email} ist unterwegs.`)).toBeVisible()
  const theirs = await browserOf(walk)
  await accept(theirs, walk.desk, person, `lädt Sie ein, für ${NAME} zu arbeiten`)
  return theirs
}

/** The settings without which nothing goes to customers. */
async function setUp(walk: Walk): Promise<void> {
  const { page } = walk
  await expect(page.getByRole('complementary', { name: 'Probebetrieb' })).toBeVisible()
  await page.getByRole('link', { name: 'Was bis zum Betrieb fehlt' }).click()
  await heading(page, 'Einstellungen')
  await expect(page.getByText('Noch offen: Impressum im Fuß des Portals.')).toBeVisible()
  await expect(page.getByText('✓ Zwei Mitglieder mit Leitung')).toBeVisible()
  await look(page, 'einstellungen-probebetrieb')
  const write = async (label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel(label, { exact: true }).press('Tab')
    await expect(page.getByText('wird gemerkt')).toHaveCount(0)
  }
  await write('Fußzeilen', 'Stadtwerke Neustadt GmbH | Am Markt 1 | 99084 Neustadt')
  await write('Impressum (Adresse)', 'https://stadtwerke-neustadt.example/impressum')
  await write('Datenschutz (Adresse)', 'https://stadtwerke-neustadt.example/datenschutz')
  for (const link of ['Impressum im Fuß zeigen', 'Datenschutz im Fuß zeigen', 'Barrierefreiheit im Fuß zeigen']) {
    await page.getByText(link, { exact: true }).click()
    await expect(page.getByText('wird gemerkt')).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'Kontakt', exact: true }).click()
  await page.getByRole('button', { name: 'Kontakt hinzufügen' }).click()
  await write('Text', 'Sie erreichen uns montags bis freitags unter **0361 4711**.')
  await look(page, 'einstellungen-kontakt')
  await page.getByRole('link', { name: 'Portal und Arbeit' }).click()
  await expect(page.getByText('Noch offen: ')).toHaveCount(0)
  await page.getByRole('button', { name: 'In Betrieb nehmen' }).click()
  await page.getByRole('button', { name: 'In Kraft setzen' }).click()
  await look(page, 'in-kraft-setzen')
  await page.getByRole('dialog').getByRole('button', { name: 'In Kraft setzen' }).click()
  await expect(page.getByText('Die Einstellungen sind in Kraft.')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Probebetrieb' })).toHaveCount(0)
}

async function send(walk: Walk, kind: string, file: Table): Promise<void> {
  const { page } = walk
  await area(walk, 'Importe')
  await heading(page, 'Importe')
  await page.getByLabel('Inhalt').selectOption(kind)
  await page.locator('input[type=file]').setInputFiles(file)
  await heading(page, file.name)
}

async function rehearse({ page }: Walk, told: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Probe starten' }).click()
  const outcome = page.getByRole('region', { name: 'Ergebnis der Probe' })
  await expect(outcome.getByText(told, { exact: true })).toBeVisible()
  await look(page, name)
}

async function doIt({ page }: Walk, told: string): Promise<void> {
  await page.getByRole('button', { name: 'Importieren …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Importieren' }).click()
  const outcome = page.getByRole('region', { name: 'Ergebnis des Imports' })
  await expect(outcome.getByText(told, { exact: true })).toBeVisible()
}

/** The bytes of a file that a button gives. */
async function fetched(page: Page, button: string | RegExp): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).first().click()
  return readFileSync(await (await download).path())
}

/** The rows of a table, by its heads; what a spreadsheet is to take for a text stands there as `="4711"`. */
function rowsOf(bytes: Buffer): Record<string, string>[] {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const [heads = [], ...rows] = text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => line.split(';').map((cell) => cell.replaceAll(/^"=""|^"|"""$|"$/g, '')))
  return rows.map((cells) => Object.fromEntries(heads.map((head, place) => [head, cells[place] ?? ''])))
}

async function bringIn(walk: Walk, email: string): Promise<void> {
  const { page } = walk
  await send(walk, 'Zugänge', accounts(email))
  await look(page, 'import-zugaenge')
  await rehearse(walk, '5 neu, 2 fehlerhaft', 'import-zugaenge-probe')
  await doIt(walk, '5 neu, 2 fehlerhaft')

  await send(walk, 'Aufträge', jobs(true))
  await page.getByRole('button', { name: 'Neue Ablesesaison …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Neue Ablesesaison' })
  await dialog.getByLabel('Kennung').fill('2026')
  await dialog.getByLabel('Name').fill(SEASON)
  await dialog.getByLabel('Erster Tag').fill(day(-30))
  await dialog.getByLabel('Letzter Tag').fill(day(60))
  await look(page, 'neue-saison')
  await dialog.getByRole('button', { name: 'Anlegen' }).click()
  await expect(dialog).toBeHidden()
  const field = (column: string) => page.getByLabel(`Feld der Spalte ${column}`)
  await field('Vertrag').selectOption({ label: 'unverändert durchreichen (kommt im Export zurück)' })
  await look(page, 'import-auftraege')
  await rehearse(walk, '5 neu, 4 fehlerhaft', 'import-auftraege-probe')
  const sheet = unzip(await fetched(page, 'fehler.xlsx')).get('xl/worksheets/sheet1.xml') ?? ''
  const faults = cells(sheet).slice(1)
  expect(faults.map(([line, fault]) => `${line?.split('=')[1]} ${fault?.split('=')[1]?.split(':')[0]}`)).toEqual([
    '8 Gerät',
    '9 Kennzahl',
    '10 Letzte Ablesung',
    '11 Kundennummer',
  ])
  await doIt(walk, '5 neu, 4 fehlerhaft')
}

/** Letters are drawn, called good and handed over; gives the table for the printer. */
async function write(walk: Walk): Promise<Record<string, string>[]> {
  const { page } = walk
  await area(walk, 'Anschreiben')
  await heading(page, 'Anschreiben')
  await page.getByRole('button', { name: 'Wer bekommt einen?' }).click()
  await expect(page.getByText(/^Stand vom .*4 Briefe, 4 davon mit neuen Zugangsdaten/)).toBeVisible()
  await look(page, 'anschreiben')
  await page.getByRole('button', { name: 'Briefe drucken …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Drucken' }).click()
  const drawn = page.getByRole('region', { name: 'Gedruckt, noch nicht freigegeben' })
  await expect(drawn).toBeVisible()
  await look(page, 'anschreiben-gedruckt')
  const rows = rowsOf(await fetched(page, 'anschreiben-001.csv'))
  expect(rows.map(({ account }) => account).toSorted()).toEqual(['4401', '4402', '4403', '4404'])
  expect((await fetched(page, 'anschreiben-001.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  await page.getByRole('button', { name: 'Freigeben …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Freigeben' }).click()
  await expect(page.getByRole('row', { name: /Briefe freigegeben/ })).toBeVisible()
  await page.getByRole('button', { name: 'Jetzt einladen …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Einladungen versenden' }).click()
  await expect(page.getByRole('row', { name: /Einladungen/ }).first()).toBeVisible()
  await look(page, 'anschreiben-freigegeben')
  return rows
}

/** A resident comes with what the letter says, and sends what the meter shows; `doubtful` is a value that has to be confirmed. */
async function read(
  walk: Walk,
  letter: Record<string, string> | undefined,
  values: readonly string[],
  doubtful = false,
): Promise<void> {
  const page = await browserOf(walk)
  await page.goto(`${walk.portal}/ablesung`)
  await logInAtPortal(page, { username: letter?.['username'] ?? '', password: letter?.['password'] ?? '' })
  const fields = page.getByRole('textbox', { name: /vor dem Komma/ })
  await expect(fields).toHaveCount(values.length)
  for (const [place, value] of values.entries()) await fields.nth(place).pressSequentially(value)
  await look(page, `portal-${letter?.['account']}`)
  await page.getByRole('button', { name: /^Zählerst.nde? senden$/ }).click()
  if (doubtful) {
    await look(page, `portal-${letter?.['account']}-nachfrage`)
    await page.getByRole('dialog').getByRole('button', { name: 'Trotzdem senden' }).click()
  }
  await expect(page.getByText('Senden erfolgreich')).toBeVisible()
  await look(page, `portal-${letter?.['account']}-gesendet`)
  await page.context().close()
}

/** Opens a customer from wherever one is. */
async function find(page: Page, words: string, name: string): Promise<void> {
  await page.keyboard.press('/')
  await page.getByRole('dialog').getByRole('combobox').fill(words)
  await expect(page.getByRole('option', { name })).toHaveCount(1)
  await look(page, 'suche')
  await page.keyboard.press('Enter')
  await heading(page, name)
}

/** A clerk answers the telephone and types a card. */
async function enter(page: Page): Promise<void> {
  await page.keyboard.press('/')
  await page
    .getByRole('dialog')
    .getByRole('combobox')
    .fill(`müller ${meters.water.slice(-4)}`)
  await expect(page.getByRole('option', { name: /Zoë Müller/ })).toHaveCount(1)
  await look(page, 'suche')
  await page.keyboard.press('Enter')
  await heading(page, 'Zoë Müller')
  await look(page, 'kunde')
  await page
    .getByRole('article', { name: `Zähler ${meters.water}` })
    .getByRole('link', { name: 'Stand eingeben' })
    .click()
  await heading(page, 'Stand eingeben')
  await page.getByLabel('Zählerstand (m³)').fill('380,5')
  await look(page, 'telefon')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Zähler ${meters.water}: gespeichert.`)).toBeVisible()
  await area({ page }, 'Eingabe')
  await page.getByLabel('Zählernummer').fill(meters.gas.slice(-6))
  await page.keyboard.press('Enter')
  await page.getByLabel('Zählerstand (m³)').fill('6400,0')
  await look(page, 'karte')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Zähler ${meters.gas}: gespeichert.`)).toBeVisible()
}

/** Of the reading with a digit too many the clerk says what is right. */
async function decide(page: Page): Promise<void> {
  await area({ page }, 'Klärung')
  await expect(page.getByText('Eine Ablesung wartet')).toBeVisible()
  await look(page, 'klaerung')
  await page.keyboard.press('n')
  await expect(page.getByRole('main').getByText(meters.power, { exact: true })).toBeVisible()
  await look(page, 'entscheiden')
  await page.keyboard.press('k')
  await page.getByLabel('Richtiger Stand').fill('22500,0')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Zähler ${meters.power} korrigiert.`)).toBeVisible()
  await look(page, 'entschieden')
}

/** The table goes out, with what came in, digit for digit. */
async function takeOut(walk: Walk): Promise<void> {
  const { page } = walk
  await area(walk, 'Exporte')
  await page.getByRole('button', { name: 'Neuer Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Neuer Export' })
  await look(page, 'neuer-export')
  await dialog.getByRole('button', { name: 'Export starten' }).click()
  const file = page.getByRole('button', { name: /^readings-\d{8}\.csv\b/ })
  await expect(file).toBeVisible()
  await look(page, 'exporte')
  const rows = rowsOf(await fetched(page, /^readings-\d{8}\.csv\b/))
  const told = rows.map((row) =>
    ['Zählernummer', 'OBIS', 'Zählerstand', 'Weg', 'Vertrag'].map((head) => row[head]).join(' '),
  )
  expect(told.toSorted()).toEqual([
    `${meters.twoRates} 1-0:1.8.1 13500,5 Portal V-4401`,
    `${meters.twoRates} 1-0:1.8.2 9200,5 Portal V-4401`,
    `${meters.power} 1-0:1.8.0 22500,0 Portal V-4404`,
    `${meters.gas} 7-0:3.0.0 6400,0 Ablesekarte V-4403`,
    `${meters.water} 8-0:1.0.0 380,5 Telefon V-4402`,
  ])
}

/** The customer who has not read gets a reminder, once. */
async function remind(walk: Walk, clerk: Page, email: string): Promise<void> {
  const { page } = walk
  await find(clerk, 'späth lindenw', 'Mia Späth')
  await clerk.getByRole('button', { name: 'E-Mails einschalten' }).click()
  const question = clerk.getByRole('dialog', { name: 'E-Mails einschalten' })
  await question.getByLabel('E-Mail-Adresse').fill(email)
  await question.getByLabel('Die Datenschutzerklärung wurde genannt').press('Space')
  await question.getByRole('button', { name: 'Bestätigung senden' }).click()
  await expect(clerk.getByText('Die E-Mail zur Bestätigung ist unterwegs.')).toBeVisible()
  // What was done for one customer is not said of the next.
  await find(clerk, `müller ${meters.water.slice(-4)}`, 'Zoë Müller')
  await expect(clerk.getByText('Die E-Mail zur Bestätigung ist unterwegs.')).toHaveCount(0)
  const portal = await browserOf(walk)
  await portal.goto(walk.portal + (await linkInMail(email, 2, '/registrierung/bestaetigen/')))
  await portal.getByRole('button', { name: 'Adresse bestätigen' }).click()
  await expect(portal.getByRole('heading', { name: 'Ihre Adresse ist bestätigt' })).toBeVisible()
  await look(portal, 'portal-bestaetigt')
  await portal.context().close()

  await area(walk, 'Erinnerungen')
  await page.getByRole('button', { name: 'Wer ist an der Reihe?' }).click()
  await expect(page.getByText('ein Kunde ist an der Reihe').first()).toBeVisible()
  await look(page, 'erinnerungen')
  await page.getByRole('button', { name: 'Jetzt erinnern …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Erinnerungen versenden' }).click()
  await expect.poll(async () => (await mailsTo(email)).length).toBe(3)
  await expect(page.getByRole('row', { name: /Erinnerungen/ }).first()).toBeVisible()
  await look(page, 'erinnert')
}

/** The job that was not read is listed and closed. */
async function close(walk: Walk): Promise<void> {
  const { page } = walk
  await area(walk, 'Offene')
  await expect(page.getByRole('cell', { name: /Späth/ })).toHaveCount(1)
  await look(page, 'offene')
  await send(walk, 'Aufträge', readJobs())
  await page.getByText('Die Datei zählt alle Aufträge der Saison auf').click()
  await rehearse(walk, '4 unverändert, 1 geschlossen', 'abschluss-probe')
  await page.getByRole('button', { name: 'Importieren …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Geben Sie die Zahl 1 ein').fill('1')
  await look(page, 'abschluss-zahl')
  await dialog.getByRole('button', { name: 'Importieren' }).click()
  const outcome = page.getByRole('region', { name: 'Ergebnis des Imports' })
  await expect(outcome.getByText('4 unverändert, 1 geschlossen')).toBeVisible()
  await look(page, 'abschluss')
}

/** The season's page has what came in, and the trail who did it. */
async function lookBack(walk: Walk): Promise<void> {
  const { page } = walk
  await area(walk, 'Saison')
  await heading(page, 'Saison im Überblick')
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('4 von 4')).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 120_000 })
  await look(page, 'saison')
  for (const row of ['Portal 3', 'Telefon 1', 'Karte 1'])
    await expect(page.getByRole('row', { name: row, exact: true })).toBeVisible()
  await area(walk, 'Nachweise')
  await expect(page.getByRole('cell', { name: 'importierte eine Datei am Arbeitsplatz' }).first()).toBeVisible()
  await look(page, 'nachweise')
}

test('a season from its utility’s first day to its last job', async ({ page, browser, baseURL }, info) => {
  const tenant = `neustadt-${process.pid}`
  const { port } = new URL(process.env['ZW_PORTAL'] ?? '')
  const walk: Walk = { page, browser, info, tenant, desk: baseURL ?? '', portal: `http://${tenant}.localhost:${port}` }
  const [lead, other, clerk] = await Promise.all(['Nele Neu', 'Lars Leiter', 'Klara Klar'].map(newPerson))
  if (!lead || !other || !clerk) throw new Error('nobody')
  const email = newAddress()
  await step('the platform makes the utility and invites its lead', () => found(walk, lead))
  await step('the lead comes by the link of the mail', () => accept(page, walk.desk, lead, 'lädt Sie ein'))
  let clerks: Page | undefined
  await step('two colleagues are invited and come', async () => {
    await (await invite(walk, other, 'Leitung')).context().close()
    clerks = await invite(walk, clerk, 'Sachbearbeitung')
    await look(page, 'mitglieder')
  })
  const clerksPage = () => clerks ?? page
  await step('settings, contact, checklist, into operation', () => setUp(walk))
  await step('customers and jobs, with faults', () => bringIn(walk, email))
  let letters: Record<string, string>[] = []
  await step('letters drawn and handed over, invitations sent', async () => {
    letters = await write(walk)
    await expect.poll(async () => (await mailsTo(email)).length).toBe(1)
  })
  const letterOf = (id: string) => letters.find(({ account }) => account === id)
  await step('two residents read in the portal', async () => {
    await read(walk, letterOf('4401'), ['13500,5', '9200,5'])
    await read(walk, letterOf('4404'), ['225000,0'], true)
  })
  await step('a clerk enters one by phone and one by card', () => enter(clerksPage()))
  await step('the clerk decides what waits', () => decide(clerksPage()))
  await step('the readings go out', () => takeOut(walk))
  await step('who has not read is reminded', () => remind(walk, clerksPage(), email))
  await step('the season is closed', () => close(walk))
  await step('its figures are counted, which a clock does each minute', () => lookBack(walk))
})
