import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { siteHeaders } from '../../../../infra/headers.ts'
import { letters, meters } from '../demo.ts'
import { expectInstalled } from '../device.ts'
import { expect, expectAccessible, logIn, test } from '../portal.ts'
import { Site } from '../server.ts'

const portal = fileURLToPath(new URL('../..', import.meta.url))

/** A portal of this version, as it would be deployed. */
async function build(version: string, directory: string): Promise<string> {
  const vite = fileURLToPath(new URL('../../../../node_modules/vite/bin/vite.js', import.meta.url))
  // What mends Playwright for Firefox is named relatively, and is none of the build's.
  const env = { ...process.env, ZW_VERSION: version, NODE_OPTIONS: '' }
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', directory, '--emptyOutDir'], {
    cwd: portal,
    env,
  })
  return directory
}

const versionOf = (page: Page) => page.locator('meta[name="version"]')

/** The browser looks for a new version now, instead of in an hour. */
const look = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })

test.use({ serviceWorkers: 'allow', expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/] })

test('a new version asks, not over a form and not without a network, and loads once when it may', async ({
  page,
  context,
}, info) => {
  test.slow()
  const two = await build('two', info.outputPath('two'))
  const site = await Site.listen()
  const behind = process.env['ZW_SITE'] ?? ''
  site.connect(behind, siteHeaders(behind))

  await page.goto(`${site.url}/ablesung/${meters.done.id}`)
  await logIn(page, letters.anna)
  await page.getByRole('button', { name: 'Erneut senden' }).click()
  await page.getByRole('textbox', { name: /vor dem Komma/ }).pressSequentially('9')
  await expectInstalled(page)
  const other = await context.newPage()
  await other.goto(`${site.url}/ablesung`)
  await expect(other.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()

  site.root = two
  await look(page)
  const question = (tab: Page) => tab.getByRole('dialog', { name: 'Neue Version verfügbar' })
  await expect(question(other)).toBeVisible()
  await expect(question(page)).toBeHidden()
  await expect(versionOf(other)).toHaveAttribute('content', 'development')
  await expectAccessible(other)
  await context.setOffline(true)
  await expect(question(other)).toBeHidden()
  await context.setOffline(false)
  await expect(question(other)).toBeVisible()

  let loads = 0
  other.on('load', () => {
    loads += 1
  })
  await question(other).getByRole('button', { name: 'Jetzt neu laden' }).click()
  await expect(versionOf(other)).toHaveAttribute('content', 'two')
  await expect(other.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
  await expect(question(other)).toBeHidden()
  expect(loads).toBe(1)

  // The tab with the form is still as it was, and is asked once the form is left.
  await expect(versionOf(page)).toHaveAttribute('content', 'development')
  await expect(page.getByRole('textbox', { name: /vor dem Komma/ })).toHaveValue('9')
  await page.getByRole('link', { name: 'Start' }).click()
  await question(page).getByRole('button', { name: 'Jetzt neu laden' }).click()
  await expect(versionOf(page)).toHaveAttribute('content', 'two')
  // Firefox tells of files as faults whose page is left before they have come.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(`${site.url}/ablesung/${meters.done.id}`)
  await page.getByRole('button', { name: 'Erneut senden' }).click()
  await expect(page.getByRole('textbox', { name: /vor dem Komma/ })).toHaveValue('9')
  await site.close()
})
