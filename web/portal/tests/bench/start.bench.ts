/** From the link in a letter to the first meter's field, on a cheap phone: this build beside an older one, in turn. */
import type { Browser } from '@playwright/test'
import { letters } from '../demo.ts'
import { test } from '../portal.ts'
import { tell } from './figures.ts'
import { PHONE, quantile, slowDown } from './phone.ts'
import { compressedSite } from './site.ts'

const ROUNDS = Number(process.env['ZW_ROUNDS'] ?? 5)

/** The build that this one is compared with; `make bench` makes it. */
const BEFORE = process.env['ZW_BEFORE']

declare global {
  interface Window {
    /** When the visit got so far, in milliseconds since the link was followed. */
    reached: Partial<Record<'introduction' | 'field', number>>
  }
}

/** Goes on by itself as soon as there is something to press, and notes when that was: no test runner in between. */
function walk() {
  window.reached = {}
  const note = (step: 'introduction' | 'field') => {
    window.reached[step] ??= performance.now()
  }
  const look = () => {
    const start = document.querySelector<HTMLElement>('.introduction a.button-link')
    const meter = document.querySelector<HTMLElement>('main nav a[href^="/ablesung/"]')
    const field = document.querySelector<HTMLInputElement>(
      'main input[inputmode="numeric"], main input[inputmode="decimal"]',
    )
    if (field && !field.disabled) note('field')
    else {
      if (start) {
        note('introduction')
        start.click()
      } else if (location.pathname === '/ablesung') meter?.click()
      requestAnimationFrame(look)
    }
  }
  requestAnimationFrame(look)
}

interface Visit {
  introduction: number
  field: number
  requests: number
  kilobytes: number
}

/** The first visit of a reader whose letter has this link. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'allow' })
  const page = await context.newPage()
  await page.addInitScript(walk)
  const session = await slowDown(page, { network: true })
  let [requests, bytes] = [0, 0]
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    requests += 1
    bytes += encodedDataLength
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.reached.field !== undefined, undefined, { timeout: 60_000, polling: 200 })
  const { introduction = 0, field = 0 } = await page.evaluate(() => window.reached)
  const result = { introduction, field, requests, kilobytes: bytes / 1000 }
  await context.close()
  return result
}

test('from the link to the first field', async ({ browser }) => {
  test.setTimeout(600_000)
  const sites = { now: await compressedSite(), ...(BEFORE && { before: await compressedSite(BEFORE) }) }
  const visits: Record<string, Visit[]> = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, site] of Object.entries(sites)) {
      visits[name] = [...(visits[name] ?? []), await visit(browser, `${site.url}/m/${letters.anna.token}`)]
    }
  }
  for (const [name, results] of Object.entries(visits)) {
    for (const figure of ['introduction', 'field', 'requests', 'kilobytes'] as const) {
      const value = quantile(results.map((result) => result[figure]))
      tell(`link ${name} ${figure}`, value)
      test.info().annotations.push({
        type: `${name}, ${figure}`,
        description: `${value.toFixed(0)} (${results.map((one) => one[figure].toFixed(0)).join(' ')})`,
      })
    }
  }
  await Promise.all(Object.values(sites).map((site) => site.close()))
})
