/** One walk through the built portal in WebKit: login, menu, entry, photo, no network, reload, sent. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from '@playwright/test'
import { customerWith } from '../customer.ts'
import { meters } from '../demo.ts'
import { jobsOf, readings } from '../ledger.ts'
import { startProduct } from '../setup.ts'
import { Browser, keys, until } from './browser.ts'

const PHOTO = fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'webkit-'))

/** What a cut connection leaves behind. */
// The list measures its rows again in the next frame, and WebKit says so.
const MEASURED_LATER = /ResizeObserver loop/
const NO_NETWORK = /logo\.png|Load failed|network connection was lost|due to access control checks|FetchEvent/

const step = (text: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}`)

const { site, stop } = await startProduct()
step('the product runs')
let browser: Browser | undefined
try {
  const { number, ...customer } = await customerWith(
    { outputPath: (name = '') => join(folder, name) },
    meters.doubleTariff.id,
  )
  browser = await Browser.open({ width: 447, height: 844 })
  step('WebKit runs')

  await browser.goto(site.url)
  // Its language is that of the machine.
  await browser.find('QR')
  if (String(await browser.text()).includes('Submit your meter reading'))
    await browser.click('Switch language to Deutsch')
  await browser.sees('Zählerstand melden')
  await browser.type('Benutzername', customer.username)
  await browser.type('Passwort', customer.password)
  await browser.click('Anmelden')
  await browser.sees('Willkommen')
  step('logged in')

  await browser.click('Benutzermenü')
  await browser.sees('Abmelden')
  await browser.press(keys.escape)
  await until('a closed menu', async () => !String(await browser?.text()).includes('Abmelden'))

  await browser.click('Jetzt ablesen')
  await browser.click(number)
  await browser.click('HT 1.8.1: Ziffern vor dem Komma')
  await browser.press('047000,5')
  await browser.click('NT 1.8.2: Ziffern vor dem Komma')
  await browser.press('026000,0')
  await browser.pick(PHOTO)
  await until(
    'the photo',
    () => browser?.run('return document.querySelector(".photo img")?.naturalWidth') ?? Promise.resolve(),
  )
  await until(
    'the portal on the device',
    () =>
      browser?.run(
        'return caches.match("/index.html", { ignoreSearch: true }).then((page) => page && caches.open("files")).then((cache) => cache && cache.keys()).then((keys) => (keys ?? []).some(({ url }) => url.includes("/reading-")))',
      ) ?? Promise.resolve(),
  )
  step('entered, with a photo')
  assert.deepEqual(await browser.complaints(), [])

  site.isCut = true
  await browser.click('Zählerstände senden')
  // This engine deletes what waits for longer than seven days.
  await browser.sees('Öffnen Sie das Portal in den nächsten Tagen wieder')
  await browser.click('Verstanden')
  await browser.sees('Bereits abgelesen')
  step('waits without a network')
  await browser.reload()
  await browser.sees('1 Ablesung wartet auf das Senden')
  await browser.sees('Bereits abgelesen')
  await browser.screenshot(join(folder, 'waiting.png'))
  step('is there after a reload without a network')

  site.isCut = false
  await browser.click('Jetzt senden')
  await browser.sees('47000,5')
  await until(
    'the photo as it was stored',
    () => browser?.run('return document.querySelector("img[alt^=\'Foto 1 zum\']")?.naturalWidth') ?? Promise.resolve(),
  )
  const context = await request.newContext()
  const jobs = await jobsOf(context, customer)
  await context.dispose()
  assert.deepEqual(
    readings(
      jobs,
      jobs.map(({ id }) => id),
    )
      .map(([, value, photos]) => [value, photos])
      .toSorted(),
    [
      ['026000.0', 0],
      ['047000.5', 1],
    ],
  )
  assert.deepEqual(
    (await browser.complaints()).filter((line) => !NO_NETWORK.test(line) && !MEASURED_LATER.test(line)),
    [],
  )
  step('sent, and stored with its photo')
} catch (error) {
  await browser?.screenshot(join(folder, 'failed.png')).catch(() => undefined)
  console.error(`What was to be seen is in ${folder}.`)
  throw error
} finally {
  await browser?.close()
  await stop()
}
