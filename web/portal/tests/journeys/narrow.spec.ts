/** At 320 px, which is 400 % of a laptop's screen (WCAG 1.4.10), in every language: nothing is cut, torn or covered. */
import type { Locator, Page } from '@playwright/test'
import { customerWith } from '../customer.ts'
import { letters, meters } from '../demo.ts'
import { tabTo } from '../keyboard.ts'
import { expect, follow, logIn, test, widerBy } from '../portal.ts'
import { enterContact, enterMeter, enterReading, expectHeading, submit } from '../visitor.ts'

test.use({ viewport: { width: 320, height: 640 } })

/** What a reader would stumble over: words and numbers that go on in the next line without a hyphen, hints that do not fit into their field. */
const faults = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const page = document.documentElement
    if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth} px wide`)
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    const isSeen = (element: Element) => element.checkVisibility() && !element.closest('.visually-hidden, .skip-link')
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement
      if (!parent || !isSeen(parent)) continue
      // A browser with a dictionary hyphenates; a metering location has 33 digits and no blank.
      const mayBreak = getComputedStyle(parent).hyphens === 'auto' || parent.closest('.meter-data__facts')
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s\u00AD\u200B]+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set(
          [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)),
        )
        if (lines.size > 1 && !mayBreak && !/[\p{L}\d][-–/@.][\p{L}\d]/u.test(word)) found.push(`"${word}" is broken`)
      }
    }
    for (const field of root.querySelectorAll<HTMLInputElement>('input:not(.counter-field__part)')) {
      const style = getComputedStyle(field)
      const context = document.createElement('canvas').getContext('2d')
      if (!context || !field.placeholder || !isSeen(field)) continue
      context.font = style.font
      const room = field.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd)
      if (context.measureText(field.placeholder).width > room) found.push(`"${field.placeholder}" does not fit`)
    }
    return found
  })

async function look(page: Page): Promise<void> {
  for (let language = 0; language < 3; language += 1) {
    await expect.poll(() => faults(page)).toEqual([])
    const next = page.getByRole('button', { name: /^(Sprache wechseln zu|Switch language to) /, includeHidden: true })
    const offered = (await next.getAttribute('aria-label')) ?? ''
    await next.dispatchEvent('click')
    await expect(next).not.toHaveAttribute('aria-label', offered)
  }
}

test('the reading without a login', async ({ page }) => {
  await page.goto('/ablesung-ohne-zugang')
  await look(page)
  await enterMeter(page)
  await look(page)
  await enterReading(page)
  await look(page)
  await enterContact(page)
  await expectHeading(page, 'Stimmen Ihre Angaben?')
  await look(page)
  await follow(page, '/accessibility')
  await look(page)
})

// A bar for scrolling makes Firefox's page narrower still.
test('meters, history and shares', { tag: '@chromium' }, async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.manager)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  await look(page)
  await follow(page, '/ablesung')
  await expect(page.getByRole('progressbar')).toBeVisible()
  await look(page)
  await page.getByRole('button', { name: 'Teilen' }).click()
  await expect(page.getByRole('dialog', { name: 'Zähler teilen' })).toBeVisible()
  await look(page)
  await page.keyboard.press('Escape')
  for (const path of ['/ablesung/neu', '/auswertung', '/management/account/k-20001', '/geraete', '/introduction']) {
    await follow(page, path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await look(page)
  }
})

test('whom to call and where to write is met by a finger', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  const links = page.locator(":is(a[href^='tel:'], a[href^='mailto:'])")
  await expect(links).toHaveCount(2)
  for (const link of await links.all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24)
})

test('the menu is scrolled to its end, however low the screen is', { tag: '@chromium' }, async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.manager)
  const menu = page.getByRole('button', { name: 'Benutzermenü' })
  for (const [width, height] of [
    [320, 256],
    [667, 375],
  ] as const) {
    await page.setViewportSize({ width, height })
    await menu.click()
    const logOut = page.getByRole('button', { name: 'Abmelden', exact: true })
    await tabTo(page, logOut)
    await expect(logOut).toBeInViewport({ ratio: 1 })
    await menu.click()
  }
})

test('a meter number stays in one piece beside the instructions', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/ablesung/${meters.doubleTariff.id}`)
  await logIn(page, letters.anna)
  await page.getByRole('button', { name: 'Wie lese ich diesen Zähler ab?' }).click()
  await expect(page.getByRole('heading', { name: 'Zweitarifzähler ablesen' })).toBeVisible()
  for (let width = 1200; width <= 1440; width += 20) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => faults(page), { message: `at ${width} px` }).toEqual([])
  }
})

test.describe('without a network', () => {
  test.use({ expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/] })

  test('what is reached by key or by a tool is not under a notice', async ({ page, context }, info) => {
    const { number, ...customer } = await customerWith(info, meters.due.id)
    await page.goto('/ablesung')
    await logIn(page, customer)
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await page.getByRole('textbox', { name: /^Zählerstand/ }).pressSequentially('024000')
    await context.setOffline(true)
    const notice = page.locator('.toast--warning')
    await expect(notice).toBeVisible()
    await page.evaluate(() => scrollTo(0, 0))
    const send = page.getByRole('button', { name: 'Zählerstand senden' })
    // As browsers do for the focus, each in its own way, and their drivers before a click.
    await send.evaluate((button) => button.scrollIntoView({ block: 'end' }))
    await expectAbove(send, notice)
  })
})

test.describe('what went wrong', () => {
  test.use({ expectedErrors: [/status of 422/] })

  test('stands above the notice that comes with it', async ({ page }, info) => {
    const { number, ...customer } = await customerWith(info, meters.due.id)
    await page.goto('/ablesung')
    await logIn(page, customer)
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await page.getByRole('textbox', { name: /^Zählerstand/ }).pressSequentially('024000')
    await page.route('**/api/pro/job/**', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 422, contentType: 'application/problem+json', json: { code: 'internal-error' } })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Zählerstand senden' }).click()
    await expectUncovered(page, 'Es ist ein unerwarteter Fehler aufgetreten')
  })

  test('stands above it in the reading without a login, too', async ({ page }) => {
    await page.goto('/ablesung-ohne-zugang')
    await enterMeter(page)
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await page.route('**/api/unknown-readings/results', (route) =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', json: { code: 'internal-error' } }),
    )
    await submit(page).click()
    await expectUncovered(page, 'Es ist ein unerwarteter Fehler aufgetreten')
  })
})

test.describe('what was sent', () => {
  test('leads on above the notice that says so', async ({ page }, info) => {
    const { number, ...customer } = await customerWith(info, meters.done.id)
    await page.goto('/ablesung')
    await logIn(page, customer)
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await page.getByLabel(/Ziffern vor dem Komma/).pressSequentially('00965,125')
    await page.getByRole('button', { name: 'Zählerstand senden' }).click()
    await expectAbove(page.getByRole('link', { name: /^Nächster Zähler/ }), page.locator('.toast--success'))
  })

  test('is said above it without a login, too', async ({ page }) => {
    await page.goto('/ablesung-ohne-zugang')
    await enterMeter(page)
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await submit(page).click()
    await expectAbove(page.getByRole('heading', { name: 'Vielen Dank' }), page.locator('.toast--success'))
  })
})

test('the login fits wherever its two columns begin', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByLabel('Benutzername')).toBeVisible()
  for (const width of [960, 1000, 1100, 1200]) {
    await page.setViewportSize({ width, height: 700 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
})

/** The whole message is in sight, and the notice lies below it. */
async function expectUncovered(page: Page, text: string): Promise<void> {
  const notice = page.locator('.toast--error')
  await expect(notice).toBeVisible()
  await expectAbove(page.locator('.message').filter({ hasText: text }), notice)
}

const expectAbove = (element: Locator, notice: Locator) =>
  expect(async () => {
    const [above, below] = [await element.boundingBox(), await notice.boundingBox()]
    expect(above?.y).toBeGreaterThan(0)
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  }).toPass()
