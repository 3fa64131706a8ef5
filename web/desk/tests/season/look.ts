/** Pictures of a walk's screens, for eyes: into the folder that `ZW_PICTURES` names. */
import type { Page } from '@playwright/test'
import { expect } from '../../../portal/tests/portal.ts'

let count = 0

/** The screen as it is now, on a desk and on a phone, in each of its languages. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['ZW_PICTURES']
  if (!folder) return
  count += 1
  const size = page.viewportSize()
  const next = page.getByRole('button', { name: /^(Sprache wechseln zu|Switch language to) /, includeHidden: true })
  const offered = async () => next.getAttribute('aria-label')
  const first = await offered()
  let language = 0
  do {
    language += 1
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const path = `${folder}/${String(count).padStart(2, '0')}-${name}-${width}-${language}.png`
      await page.screenshot({ path, fullPage: true })
    }
    const before = await offered()
    await next.dispatchEvent('click')
    await expect(next).not.toHaveAttribute('aria-label', before ?? '')
  } while ((await offered()) !== first)
  if (size) await page.setViewportSize(size)
}
