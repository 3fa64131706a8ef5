import { expect, type Locator, type Page } from '@playwright/test'

/** Goes on with the Tab key until something has the focus, in sight and marked; more keys than that are too many for anybody. */
export async function tabTo(page: Page, target: Locator, most = 30): Promise<void> {
  // Who cannot see it yet does not look for it with the Tab key.
  await expect(target.first()).toBeVisible()
  const hasFocus = () => target.evaluateAll((found) => found.some((element) => element === document.activeElement))
  for (let keys = 0; keys < most && !(await hasFocus()); keys += 1) await page.keyboard.press('Tab')
  await expect(target.first(), `within ${most} keys`).toBeFocused()
  await expect(page.locator(':focus-visible')).toBeInViewport()
}

/** The same, and the key that follows or presses it. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}
