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

/** No violation of any rule that axe has, in normal and in high contrast. */
export async function expectAccessible(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: /^(Hoher Kontrast|High contrast)$/ })
  for (const _ of ['as it is', 'the other contrast']) {
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id, nodes }) => ({
        id,
        where: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
      })),
    ).toEqual([])
    // Under an open dialog the button is out of reach for a mouse, not for the test.
    await toggle.dispatchEvent('click')
  }
}

/** Logs in with a letter's user name and password. */
export async function logIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await page.getByLabel('Benutzername').fill(username)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
}
