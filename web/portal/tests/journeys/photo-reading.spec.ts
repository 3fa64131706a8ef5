/** What a photo shows is proposed. The local product's stand-in for Textract knows these photos (functions/emulators/fixtures). */
import { fileURLToPath } from 'node:url'
import type { Page, Request, TestInfo } from '@playwright/test'
import { customerWith } from '../customer.ts'
import { meters } from '../demo.ts'
import { expectKept, WITH_PHOTO } from '../device.ts'
import { expect, expectAccessibleInAllLanguages, logIn, refusedWith, test } from '../portal.ts'

/** Shows 0470005. */
const METER = fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))
/** Shows another meter, whose digits are not those of the first one. */
const WATER = fileURLToPath(new URL('../../../../demo/birkenfurt/photos/wasser.jpg', import.meta.url))

const READING = '**/photo-reading'
const PROPOSED = 'Aus dem Foto gelesen'

const before = (page: Page) => page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/)
const behind = (page: Page) => page.getByLabel(/HT 1\.8\.1: Ziffern nach dem Komma/)
const low = (page: Page) => page.getByLabel(/NT 1\.8\.2: Ziffern vor dem Komma/)
const photos = (page: Page) => page.getByRole('group', { name: /^Fotos zu HT/ })

async function open(page: Page, info: TestInfo): Promise<void> {
  const { number, ...customer } = await customerWith(info, meters.doubleTariff.id)
  await page.goto('/')
  await logIn(page, customer)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
}

async function take(page: Page, file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await photos(page).getByRole('button', { name: 'Foto hinzufügen' }).click()
  await (await chooser).setFiles(file)
}

/** Neither a proposal nor a complaint. */
async function expectNothing(page: Page): Promise<void> {
  await expect(page.getByText('Der Stand wird im Foto gesucht …')).toBeHidden()
  await expect(before(page)).toHaveValue('')
  await expect(page.getByText(PROPOSED)).toBeHidden()
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
}

/** The paths of the calls that bring something to the server. */
function posted(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => request.method() === 'POST' && paths.push(new URL(request.url()).pathname))
  return paths
}

test('the digits in a photo are proposed, corrected by the reader, and sent by nobody else', async ({ page }, info) => {
  await open(page, info)
  const paths = posted(page)
  await expect(
    photos(page)
      .locator('..')
      .getByText(/^Ein Dienst von Amazon \(AWS\) liest das Foto/),
  ).toBeVisible()
  await take(page, METER)
  await expect(page.getByText(PROPOSED)).toBeVisible()
  await expect(page.getByText('Bitte vergleichen Sie jede Ziffer mit dem Zähler, bevor Sie senden.')).toBeVisible()
  // It stands in the region that is read out when it changes.
  await expect(page.getByRole('status').filter({ hasText: PROPOSED })).toBeVisible()
  await expect(before(page)).toHaveValue('047000')
  await expect(behind(page)).toHaveValue('5')
  await expect(low(page)).toHaveValue('')
  await expectAccessibleInAllLanguages(page)
  expect(paths.filter((path) => path.endsWith('/result'))).toEqual([])

  // The proposal outlives a reload as such; corrected it is the reader's own.
  await page.reload()
  await expect(page.getByText(PROPOSED)).toBeVisible()
  await behind(page).fill('6')
  await expect(page.getByText(PROPOSED)).toBeHidden()
  await low(page).pressSequentially('026000,0')
  await page.getByRole('button', { name: 'Zählerstände senden' }).click()
  await expect(page.getByText('Senden erfolgreich')).toBeVisible()
  await expect(page.getByText('47000,6')).toBeVisible()
  // The photo was sent once, for both.
  expect(paths.filter((path) => path === '/api/pro/upload')).toHaveLength(1)
})

test('what was typed stays, and a photo beside it is not read', { tag: '@chromium' }, async ({ page }, info) => {
  await open(page, info)
  const paths = posted(page)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(READING, async (route) => {
    await held
    await route.continue()
  })
  await take(page, METER)
  await expect(page.getByText('Der Stand wird im Foto gesucht …')).toBeVisible()
  await before(page).pressSequentially('04')
  const answered = page.waitForResponse(READING)
  answer()
  expect((await (await answered).json()).proposal.value).toBe('047000.5')
  await expect(page.getByText('Der Stand wird im Foto gesucht …')).toBeHidden()
  await expect(before(page)).toHaveValue('04')
  await expect(page.getByText(PROPOSED)).toBeHidden()

  paths.length = 0
  await take(page, METER)
  await expect(photos(page).getByRole('img', { name: 'Foto 2' })).toBeVisible()
  await before(page).pressSequentially('7')
  await expectKept(page, '"pre":"704"')
  expect(paths).toEqual([])
})

// D-PHOTOS-6
test(
  'a photo without this counter, and one that is removed, propose nothing',
  { tag: '@chromium' },
  async ({ page }, info) => {
    await open(page, info)
    const read = page.waitForResponse(READING)
    await take(page, WATER)
    expect(await (await read).json()).toEqual({ proposal: null })
    await expectNothing(page)

    await page.route(READING, async (route) => {
      await photos(page).getByRole('button', { name: 'Foto 2 entfernen' }).click()
      await route.continue()
    })
    const late = page.waitForResponse(READING)
    await take(page, METER)
    expect((await (await late).json()).proposal.value).toBe('047000.5')
    await expect(page.getByText('Der Stand wird im Foto gesucht …')).toBeHidden()
    await expect(before(page)).toHaveValue('')
  },
)

test.describe('where it fails', () => {
  test.use({ expectedErrors: [new RegExp(`${refusedWith(429).source}|net::ERR_`)] })

  test('nothing is said, and the reader goes on', { tag: '@chromium' }, async ({ page }, info) => {
    await open(page, info)
    const isReading = (request: Request) => request.url().endsWith('/photo-reading')
    await page.route(READING, (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        json: { code: 'too-many-attempts', status: 429 },
      }),
    )
    const refused = page.waitForEvent('requestfinished', isReading)
    await take(page, METER)
    await refused
    await expectNothing(page)

    await page.unroute(READING)
    await page.route(READING, (route) => route.abort())
    const lost = page.waitForEvent('requestfailed', isReading)
    await take(page, METER)
    await lost
    await expectNothing(page)
    await before(page).pressSequentially('047000,5')
    await expect(page.getByText(PROPOSED)).toBeHidden()
  })
})

test.describe('without a network', () => {
  // What was being asked when the network went.
  test.use({ expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/] })

  test('and where the deployment does not read photos, there is nothing of it', async ({ page, context }, info) => {
    await open(page, info)
    const paths = posted(page)
    await context.setOffline(true)
    await expect(page.getByText('Kein Internet')).toBeVisible()
    await take(page, METER)
    await expect(photos(page).getByRole('img', { name: 'Foto 1' })).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('Internet verfügbar')).toBeVisible()
    await expectKept(page, WITH_PHOTO)

    await page.route('**/api/public/application', async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), photoReadingAvailable: false } })
    })
    await page.reload()
    await expect(before(page)).toBeVisible()
    await expect(page.getByText(/^Ein Dienst von Amazon \(AWS\) liest das Foto/)).toBeHidden()
    await take(page, METER)
    await expect(photos(page).getByRole('img', { name: 'Foto 2' })).toBeVisible()
    await low(page).pressSequentially('026')
    await expectKept(page, '"pre":"026"')
    expect(paths.filter((path) => path.endsWith('/photo-reading') || path === '/api/pro/upload')).toEqual([])
  })
})
