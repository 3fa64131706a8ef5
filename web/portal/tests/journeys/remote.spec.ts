import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { letters, meters } from '../demo.ts'
import { expect, logIn, test } from '../portal.ts'

const APP = 'https://app.example.de'
const encodedImage = readFileSync(fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))).toString('base64')

const detail = {
  meterNumber: meters.doubleTariff.number,
  results: [
    { obis: '1-0:1.8.1*255', readingValue: '054321.94', readingImages: [{ encodedImage, mimeType: 'image/jpeg' }] },
    { obis: '1-0:1.8.2', readingValue: 23456 },
  ],
}

const high = (page: Page) => page.getByRole('textbox', { name: /HT 1\.8\.1/ }).first()
const low = (page: Page) => page.getByRole('textbox', { name: /NT 1\.8\.2/ }).first()

async function open(page: Page): Promise<void> {
  await page.goto(`/ablesung/${meters.doubleTariff.id}`)
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { level: 1, name: meters.doubleTariff.number })).toBeVisible()
}

const NOTHING_OF_OURS = { results: [{ obis: '9-9:9.9.9', readingValue: 1 }] }

/** Goes on once the page listens, and has said so. */
async function expectHeard(page: Page): Promise<void> {
  const refusal = page.getByText('Ablesung nicht übernommen')
  await expect(async () => {
    await dispatch(page, NOTHING_OF_OURS)
    await expect(refusal).toBeVisible({ timeout: 1000 })
  }).toPass()
}

const dispatch = (page: Page, reading: unknown) =>
  page.evaluate((detail) => window.dispatchEvent(new CustomEvent('remote-result-received', { detail })), reading)

test('an event fills in values and photos by OBIS code, and sends nothing', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await open(page)
  await high(page).pressSequentially('54000')
  sent.length = 0
  await dispatch(page, { ...detail, meterNumber: 'another' })
  await expect(page.getByText('Ablesung nicht übernommen')).toBeVisible()
  await expect(low(page)).toHaveValue('')

  await dispatch(page, detail)
  await expect(page.getByText('Ablesung übernommen')).toBeVisible()
  await expect(page.getByText('Bitte prüfen Sie die Angaben, bevor Sie senden.')).toBeVisible()
  await expect(low(page)).toHaveValue('23456')
  await expect(page.getByRole('img', { name: 'Foto 1' })).toHaveCount(1)
  // What was typed is not replaced.
  await expect(high(page)).toHaveValue('54000')
  expect(sent).toEqual([])
})

// D-READING-15
test('a window of an allowed origin fills in, of another one does not', async ({ page, context }) => {
  await context.route('**/api/public/application', async (route) => {
    if (route.request().method() === 'HEAD') return route.continue()
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), remoteReadings: { allowedOrigins: [APP] } } })
  })
  await open(page)
  const address = page.url()
  for (const [origin, isAllowed] of [
    ['https://elsewhere.example.de', false],
    [APP, true],
  ] as const) {
    await context.route(`${origin}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>App</title>' }),
    )
    const app = await context.newPage()
    await app.goto(`${origin}/`)
    const opening = context.waitForEvent('page')
    await app.evaluate((url) => Object.assign(window, { portal: window.open(url) }), address)
    const portal = await opening
    await expect(low(portal)).toHaveValue('')
    await expectHeard(portal)
    // The portal listens already, and so hears it first.
    await portal.evaluate(() => {
      const message = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }))
      Object.assign(window, { hasCome: message.then(() => true) })
    })
    await app.evaluate(
      ([detail, target]) =>
        (window as unknown as { portal: Window }).portal.postMessage(
          { type: 'remote-result-received', detail },
          target,
        ),
      [detail, new URL(address).origin] as const,
    )
    expect(await portal.evaluate(() => (window as unknown as { hasCome: Promise<boolean> }).hasCome)).toBe(true)
    await expect(low(portal)).toHaveValue(isAllowed ? '23456' : '')
    if (isAllowed) await expect(portal.getByRole('img', { name: 'Foto 1' })).toBeVisible()
    await portal.close()
    await app.close()
  }
})
