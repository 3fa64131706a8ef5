/** What the day's work takes a clerk in time: each step of a walk, and cards by keyboard alone. */
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page, TestInfo } from '@playwright/test'
import { tell } from '../../../portal/tests/bench/figures.ts'
import { customerWith } from '../../../portal/tests/customer.ts'
import { day } from '../../../portal/tests/day.ts'
import { meters } from '../../../portal/tests/demo.ts'
import { operate } from '../../../portal/tests/operator.ts'
import { expect } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, customerWhoWaits, heading, lead, logIn, reach, support, test } from '../desk.ts'

const CARDS = Number(process.env['ZW_CARDS'] ?? 100)
/** How many of each kind, and how: released, or put aside with a note. The first is of a customer of the bench's own. */
const DOUBTS = [
  ['OUTSIDE_RANGE', 'release', 1],
  ['EXPECTED_HIGH', 'release', 3],
  ['EXPECTED_LOW', 'release', 2],
  ['METER_CHANGE', 'aside', 1],
  ['LOWER_UNEXPLAINED', 'aside', 2],
  ['WITHOUT_JOB', 'aside', 1],
] as const

test.use({ member: null, expectedErrors: [AT_LOGIN] })

/** Says how long a step took. */
async function step(what: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now()
  await work()
  const seconds = (performance.now() - begun) / 1000
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${what}`)
  tellSeconds(`walk: ${what}`, seconds)
}

const tellSeconds = (what: string, value: number): void => tell(what, value, { unit: 's' })

test('a clerk’s walk', async ({ page, browser }, info) => {
  const { number } = await customerWith(info, meters.doubleTariff.id)
  // Of each customer the operator keeps files of its own.
  const doubtful = await customerWhoWaits({ outputPath: (...names) => info.outputPath(`doubtful-${names.join('-')}`) })
  await step('log in', async () => {
    await logIn(page, '/', support)
    await heading(page, 'Kunden suchen')
  })
  await step('find a customer by half a street', async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
    await page.keyboard.type(`lindenw ${number.slice(-6)}`)
    await expect(page.getByRole('option', { name: /Anna Sommer/ })).toHaveCount(1)
    await page.keyboard.press('Enter')
    await heading(page, 'Anna Sommer')
  })
  await step('enter a reading taken by phone', async () => {
    const meter = page.getByRole('article', { name: `Zähler ${number}` })
    await meter.getByRole('link', { name: 'Stand eingeben' }).press('Enter')
    await heading(page, 'Stand eingeben')
    await page.getByLabel('HT (kWh)').fill('461124,0')
    await page.getByLabel('NT (kWh)').fill('27213,0')
    await page.keyboard.press('Enter')
    await page.getByLabel('Warum stimmt der Wert trotzdem?').fill('Zweimal vorgelesen')
    await page.keyboard.press('Enter')
    await expect(page.getByText(`Zähler ${number}: gespeichert, wartet auf Klärung.`)).toBeVisible()
  })
  const desk = await (await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })).newPage()
  await logIn(desk, `${process.env['ZW_DESK']}/t/birkenfurt/deciding`, lead)
  const count = DOUBTS.reduce((sum, [, , times]) => sum + times, 0)
  await step(`decide ${count} doubts of ${DOUBTS.length} kinds by keyboard`, async () => {
    for (const [reason, how, times] of DOUBTS) {
      const own = reason === 'OUTSIDE_RANGE' ? doubtful.number : undefined
      await decide(desk, reason, how, times, own)
    }
  })
  await step('export the list of open jobs', async () => {
    await desk.goto(`${process.env['ZW_DESK']}/t/birkenfurt/open`)
    await heading(desk, 'Offene Ablesungen')
    const download = desk.waitForEvent('download')
    await desk.getByRole('button', { name: /XLSX/i }).press('Enter')
    expect(
      readFileSync(await (await download).path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
  })
})

async function decide(page: Page, reason: string, how: 'release' | 'aside', times: number, number?: string) {
  await page.goto(`${process.env['ZW_DESK']}/t/birkenfurt/deciding?reason=${reason}`)
  await expect(page.getByText(/Ablesung(en)? warte[tn]/)).toBeVisible()
  await page.keyboard.press('n')
  if (number !== undefined) await reach(page, number)
  const said = page.getByText(/^Zähler \S+ (freigegeben|zurückgestellt)|^Zähler \S+: vorgeschlagen/)
  for (let done = 0; done < times; done += 1) {
    await expect(page.getByRole('button', { name: how === 'release' ? /^Freigeben/ : /^Zurückstellen/ })).toBeEnabled()
    const before = (await said.allTextContents()).join()
    await page.keyboard.press(how === 'release' ? 'f' : 'b')
    if (how === 'aside') {
      await expect(page.getByLabel('Was ist noch zu klären?')).toBeFocused()
      await page.keyboard.type('Beim Kunden nachfragen')
      await page.keyboard.press('Enter')
    }
    await expect.poll(async () => (await said.allTextContents()).join()).not.toBe(before)
  }
}

test('cards by keyboard alone', async ({ page }, info) => {
  const numbers = await cards(info, CARDS)
  await logIn(page, '/t/birkenfurt/entry', support)
  const field = page.getByLabel('Zählernummer')
  await field.focus()
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/desk/tenants/')) calls += 1
  })
  const begun = performance.now()
  for (const number of numbers) {
    await page.keyboard.type(number)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Verbrauch (m³)')).toBeFocused()
    await page.keyboard.type('00965,125')
    await page.keyboard.press('Enter')
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('')
  }
  const seconds = (performance.now() - begun) / 1000
  await expect(page.getByRole('heading', { name: `${CARDS} Karten eingegeben` })).toBeVisible()
  tellSeconds(`a card by keyboard alone, the mean of ${CARDS}`, seconds / CARDS)
  tell('the same: calls of the API', calls / CARDS, { most: 3, unit: '' })
})

/** Customers of the bench's own, each with a cold-water meter that waits to be read. */
async function cards(info: Pick<TestInfo, 'outputPath'>, count: number): Promise<string[]> {
  const demo = fileURLToPath(new URL('../../../../demo/birkenfurt/jobs.jsonl', import.meta.url))
  const line = readFileSync(demo, 'utf8')
    .replaceAll(/"today([+-]\d+)?"/g, (_, offset) => `"${day(Number(offset ?? 0))}"`)
    .split('\n')
    .find((one) => one.includes(`"id":"${meters.done.id}"`))
  const {
    maLoId: _,
    meLoId: __,
    ...model
  } = JSON.parse(line ?? '{}') as { meter: object; maLoId?: string; meLoId?: string }
  const first = randomInt(1e9, 9e9)
  const numbers = Array.from({ length: count }, (_, index) => `8SEN${first + index}`)
  const account = `cards-${first}`
  const jobs = numbers.map((meterNumber) => ({
    ...model,
    accountId: account,
    id: meterNumber,
    meter: { ...model.meter, meterNumber },
  }))
  const [people, tasks] = [info.outputPath('accounts.jsonl'), info.outputPath('jobs.jsonl')]
  writeFileSync(people, `${JSON.stringify({ id: account, name: 'Kartei', language: 'de-FORMAL' })}\n`)
  writeFileSync(tasks, jobs.map((job) => `${JSON.stringify(job)}\n`).join(''))
  await operate('accounts', 'import', people, '--tenant', 'birkenfurt', '--letters', info.outputPath('letters.jsonl'))
  await operate('jobs', 'import', tasks, '--tenant', 'birkenfurt')
  return numbers
}
