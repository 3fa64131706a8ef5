import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'

export { expect }

interface Fixtures {
  /** Console errors that a journey provokes on purpose, such as the browser's line about a 401. */
  expectedErrors: RegExp[]
}

/** Playwright says so itself where a journey does without. */
const NO_SERVICE_WORKER = 'Service Worker registration blocked by Playwright'

/** A browser at the portal. Whatever the browser complains about fails the test: faults, refused calls, policy violations. */
export const test = base.extend<Fixtures>({
  expectedErrors: [[], { option: true }],
  page: async ({ page, expectedErrors }, run) => {
    const errors: string[] = []
    page.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning'
      if (isComplaint && message.text() !== NO_SERVICE_WORKER) errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`))
    await run(page)
    expect(errors.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([])
  },
})

/** The browser's own line about a call that was answered with this status. */
export const refusedWith = (status: number) => new RegExp(`Failed to load resource.*status of ${status}`)

/** The rules that look at the style; what the others look at is the same in both contrasts. */
const RULES_OF_STYLE = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** No violation of any rule that axe has, in normal and in high contrast. */
export async function expectAccessible(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: /^(Hoher Kontrast|High contrast)$/ })
  await expectNoViolation(page)
  // Under an open dialog the button is out of reach for a mouse, not for the test.
  await toggle.dispatchEvent('click')
  await expectNoViolation(page, RULES_OF_STYLE)
  await toggle.dispatchEvent('click')
}

/** The same in every language, by the button that goes round through them. */
export async function expectAccessibleInAllLanguages(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: /^(Sprache wechseln zu|Switch language to) / })
  for (const _ of ['de-FORMAL', 'de-INFORMAL', 'en-FORMAL']) {
    await expectAccessible(page)
    const offered = (await next.getAttribute('aria-label')) ?? ''
    await next.dispatchEvent('click')
    await expect(next).not.toHaveAttribute('aria-label', offered)
  }
}

/** No violation in what is to be seen now, of these rules or of all. */
export async function expectNoViolation(page: Page, rules?: string[]): Promise<void> {
  // What has just become enabled or changed its contrast fades into its colours.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => {
      // What is folded up is not drawn, and its transition never ends.
      const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null
      return animation instanceof CSSTransition && target?.checkVisibility({ contentVisibilityAuto: true })
    })
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })
  // The other mode opens a page of its own for each look, for the sake of frames, which the portal does not have.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  expect(
    violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    })),
  ).toEqual([])
}

/** Logs in with a letter's user name and password. */
export async function logIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await page.getByLabel('Benutzername').fill(username)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
}
