import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { BrowserError } from '../../shared/contract/types.ts'

/** What the product has logged so far, a line each. */
const lines = (): string[] =>
  readFileSync(process.env['ZW_LOG'] ?? '', 'utf8')
    .split('\n')
    .filter(Boolean)

/** The errors of browsers that were told from this version of a page, with the whole line of each. */
export const browserErrors = (version: string): { line: string; error: BrowserError; operation: string }[] =>
  lines()
    .filter((line) => line.includes(`"${version}"`))
    .map((line) => ({ line, ...(JSON.parse(line) as { operation: string; browserError: BrowserError }) }))
    .map(({ line, operation, browserError }) => ({ line, operation, error: browserError }))

/** Lets pages say that they are of this version, and lets one of their files begin with this code. */
export async function withFault(page: Page, version: string, file: RegExp, code: string): Promise<void> {
  await page.route(
    ({ pathname }) => !/^\/(?:assets|api|auth|desk)\//.test(pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/(<meta name="version" content=")[^"]*/, `$1${version}`)
      return route.fulfill({ response: answer, body })
    },
  )
  await page.route(file, async (route) => {
    const answer = await route.fetch()
    return route.fulfill({ response: answer, body: `${code};${await answer.text()}` })
  })
}
