import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type Page, type Request } from '@playwright/test'
import type { RunOptions } from 'axe-core'

export { expect }

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  /** As `AXE` leaves it. */
  var axe: typeof import('axe-core') | undefined
}

interface Fixtures {
  /** Console errors that a journey provokes on purpose, such as the browser's line about a 401. */
  expectedErrors: RegExp[]
}

/** Playwright says so itself where a journey does without. */
const NO_SERVICE_WORKER = 'Service Worker registration blocked by Playwright'

/** What Firefox says of a font that a page was left before. */
const FONT_GIVEN_UP = /^uncaught: download failed \(font-family.*status=2152398850/

/** What a page has asked for and not yet got. */
const underWay = new WeakMap<Page, Set<Request>>()

/** A browser at the portal. Every complaint of the browser fails the test: faults, refused calls, policy violations. */
export const test = base.extend<Fixtures>({
  expectedErrors: [[], { option: true }],
  page: async ({ page, browserName, expectedErrors }, run) => {
    // For a picture Playwright brings a style sheet, which in Firefox breaks the policy of the page: journeys' pictures are of Chromium.
    if (browserName === 'firefox') page.screenshot = () => Promise.resolve(Buffer.alloc(0))
    const errors: string[] = []
    // Of every tab that the journey opens.
    const context = page.context()
    context.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning'
      if (isComplaint && message.text() !== NO_SERVICE_WORKER)
        errors.push(`${message.text()} (${message.location().url})`)
    })
    const requests = new Set<Request>()
    underWay.set(page, requests)
    page.on('request', (request) => requests.add(request))
    page.on('requestfinished', (request) => requests.delete(request))
    page.on('requestfailed', (request) => requests.delete(request))
    context.on('weberror', (fault) => errors.push(`uncaught: ${fault.error().message}`))
    await run(page)
    const expected = [...expectedErrors, FONT_GIVEN_UP]
    expect(errors.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
  },
})

/** The browser's own line about a call that was answered with this status. */
export const refusedWith = (status: number) => new RegExp(`Failed to load resource.*status of ${status}`)

/** The rules whose outcome hangs on colours; a language changes none. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** The rules that look at the style; what the others look at is the same in both contrasts. */
const RULES_OF_STYLE = [...RULES_OF_COLOUR, 'scrollable-region-focusable', 'target-size']

/** No violation of any rule that axe has, in normal and in high contrast. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolation(page)
  const toggle = page.getByRole('button', { name: /^(Hoher Kontrast|High contrast)$/ })
  // Under an open dialog the button is out of reach for a mouse, not for the test.
  await toggle.dispatchEvent('click')
  await expectNoViolation(page, { runOnly: RULES_OF_STYLE })
  await toggle.dispatchEvent('click')
}

/**
 * The same in every language, by the button that goes round through them. In the other languages the texts are others and with them names, sizes
 * and what has room, which all rules but those of colour look at; those of style look at high contrast in the first one alone.
 */
export async function expectAccessibleInAllLanguages(page: Page): Promise<void> {
  await expectAccessible(page)
  await nextLanguage(page)
  await expectNoViolation(page, { without: RULES_OF_COLOUR })
  await nextLanguage(page)
  await expectNoViolation(page, { without: RULES_OF_COLOUR })
  await nextLanguage(page)
}

async function nextLanguage(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: /^(Sprache wechseln zu|Switch language to) / })
  const offered = (await next.getAttribute('aria-label')) ?? ''
  await next.dispatchEvent('click')
  await expect(next).not.toHaveAttribute('aria-label', offered)
  // Help and contact have texts of their own in each language.
  await expect.poll(() => underWay.get(page)?.size, { intervals: [20, 50, 100] }).toBe(0)
}

/**
 * No violation in what is to be seen now, of all rules, of these or of the others. What it looks at is the same in all browsers, and in Firefox it
 * ends the page (the process of the content dies of it, over WebDriver BiDi alone), so Chromium has to do.
 */
export async function expectNoViolation(
  page: Page,
  { runOnly, without = [] }: { runOnly?: string[]; without?: string[] } = {},
): Promise<void> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return
  const rules: RunOptions = {
    ...(runOnly && { runOnly: { type: 'rule', values: runOnly } }),
    rules: {
      // Off by itself: what is said aloud presses what has these words on it (WCAG 2.5.3).
      ...(!runOnly && { 'label-content-name-mismatch': { enabled: true } }),
      ...Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    },
  }
  const look = () =>
    page.evaluate(async (rules) => {
      if (!globalThis.axe) return undefined
      // What has just appeared, become enabled or changed its contrast fades into its colours.
      for (const animation of document.getAnimations()) {
        if (Number.isFinite(Number(animation.effect?.getComputedTiming().endTime))) animation.finish()
      }
      // With what passed, a look takes twice as long.
      const options: RunOptions = { ...rules, resultTypes: ['violations'] }
      return (await globalThis.axe.run(document, options)).violations
    }, rules)
  const violations = (await look()) ?? (await page.evaluate(AXE).then(look))
  expect(
    violations?.map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    })),
  ).toEqual([])
  expect(await page.evaluate(twins), 'buttons of one table that have the same name').toEqual([])
}

/** Names that several buttons of a table have, which users of a screen reader cannot tell apart; the trail's do the same, and so do those of rows that are alike. */
function twins(): string[] {
  return [...document.querySelectorAll('table')].flatMap((table) => {
    const buttons = [...table.querySelectorAll('button:not(.audit__who)')]
    const names = buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent.trim())
    const rows = buttons.map((button) => button.closest('tr'))
    return names.filter((name, place) => {
      const first = names.indexOf(name)
      const [one, other] = [rows[first], rows[place]]
      return first < place && (one === other || one?.textContent !== other?.textContent)
    })
  })
}

/** By how much the page is wider than its window, in pixels: a bar for scrolling takes room of it in some browsers. */
export const widerBy = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Goes to another screen as the portal's own links do, without loading the portal anew. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Logs in with a letter's user name and password. */
export async function logIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await page.getByLabel('Benutzername').fill(username)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
}
