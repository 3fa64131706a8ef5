import { execFile } from 'node:child_process'
import { appendFile, copyFile, cp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { siteHeaders } from '../../../../infra/headers.ts'
import { customerWith } from '../customer.ts'
import { letters, meters } from '../demo.ts'
import { expectInstalled } from '../device.ts'
import { expect, expectAccessible, logIn, test } from '../portal.ts'
import { Site } from '../server.ts'
import { registrationPath } from '../share.ts'

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

/** A site of its own, in front of the product of all journeys. */
async function listen(): Promise<Site> {
  const site = await Site.listen()
  const behind = process.env['ZW_SITE'] ?? ''
  site.connect(behind, siteHeaders(behind))
  return site
}

const question = (tab: Page) => tab.getByRole('dialog', { name: 'Neue Version verfügbar' })

const versionOf = (page: Page) => page.locator('meta[name="version"]')

/** The browser looks for a new version now, instead of in an hour; returns whether one waits. */
const look = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
    const { installing } = registration
    if (installing) {
      await new Promise<void>((resolve) => {
        const follow = () => {
          if (installing.state !== 'installing') resolve()
        }
        installing.addEventListener('statechange', follow)
        follow()
      })
    }
    return registration.waiting !== null
  })

test.use({
  serviceWorkers: 'allow',
  permissions: ['clipboard-read', 'clipboard-write'],
  expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/],
})

test('a new version asks, not over a form and not without a network, and loads once when it may', async ({
  page,
  context,
}, info) => {
  test.slow()
  const two = await build('two', info.outputPath('two'))
  const half = info.outputPath('half')
  const site = await listen()
  await cp(two, half, { recursive: true })
  await copyFile(`${site.root}/index.html`, `${half}/index.html`)

  await page.goto(`${site.url}/ablesung/${meters.done.id}`)
  await logIn(page, letters.anna)
  await page.getByRole('button', { name: 'Erneut senden' }).click()
  await page.getByRole('textbox', { name: /vor dem Komma/ }).pressSequentially('9')
  await expectInstalled(page)
  const other = await context.newPage()
  await other.goto(`${site.url}/ablesung`)
  await expect(other.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()

  // D-START-8: a deployment brings the page last.
  site.root = half
  expect(await look(page)).toBe(false)
  site.root = two
  expect(await look(page)).toBe(true)
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
  await context.setOffline(true)
  await other.reload()
  await expect(versionOf(other)).toHaveAttribute('content', 'two')
  await context.setOffline(false)

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

test('a new version waits for whatever would be lost with the page', async ({ page, context, request }, info) => {
  test.slow()
  const customer = await customerWith(info, meters.solar.id)
  const site = await listen()
  const next = info.outputPath('next')
  await cp(site.root, next, { recursive: true })
  await appendFile(`${next}/service-worker.js`, '// next')

  await page.goto(`${site.url}/ablesung`)
  await logIn(page, customer)
  await page.getByRole('button', { name: 'Teilen' }).click()
  const shared = page.getByRole('dialog', { name: 'Zähler teilen' })
  await shared.getByRole('button', { name: 'Alle auswählen' }).click()
  await shared.getByLabel('Name des Zugangs').fill('Hausmeisterin')
  await shared.getByRole('button', { name: /erstellen$/ }).click()
  const outcome = page.getByRole('dialog', { name: 'Zugang „Hausmeisterin“' })
  const copyLink = outcome.getByRole('button', { name: 'Link zum Anmelden kopieren' })
  await copyLink.click()
  const close = outcome.getByRole('button', { name: 'Schließen' }).last()
  await close.click()
  await expectInstalled(page)

  const open = async (path: string) => {
    const tab = await context.newPage()
    await tab.goto(`${site.url}${path}`)
    return tab
  }
  const [free, sharing, login, registration] = [
    await open('/ablesung'),
    await open('/ablesung'),
    await open('/anmelden'),
    await open(await registrationPath(request, customer)),
  ]
  await sharing.getByRole('button', { name: 'Teilen' }).click()
  const form = sharing.getByRole('dialog', { name: 'Zähler teilen' })
  await login.getByLabel('Benutzername').fill('kund')
  await registration.getByLabel('E-Mail').fill('anna@')
  // The login data are shown this once.
  await page.getByRole('link', { name: 'Freigaben' }).first().click()
  await page.getByRole('link', { name: /^Hausmeisterin/ }).click()
  await page.getByRole('button', { name: 'Neue Zugangsdaten' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Neue Zugangsdaten erstellen' }).click()
  await expect(copyLink).toBeVisible()

  site.root = next
  expect(await look(page)).toBe(true)
  const tabs = [page, sharing, login, registration]
  await expect(outcome).toBeVisible()
  // Where nothing is entered it is asked at once.
  await expect(question(free)).toBeVisible()
  for (const tab of tabs) await expect(question(tab)).toBeHidden()
  await copyLink.click()
  await close.click()
  await form.getByRole('button', { name: 'Abbrechen' }).click()
  await login.getByLabel('Benutzername').fill('')
  await registration.getByLabel('E-Mail').fill('')
  for (const tab of tabs) await expect(question(tab)).toBeVisible()
  await site.close()
})

test.describe('while somebody in between answers', () => {
  test.use({ expectedErrors: [/ERR_FAILED|Failed to load module script/] })

  // D-OUTBOX-8
  test('a page in the place of a file is not kept', async ({ page }) => {
    const site = await listen()
    await page.goto(`${site.url}/ablesung`)
    await logIn(page, letters.anna)
    await expectInstalled(page)
    const share = page.getByRole('button', { name: 'Teilen' })
    site.captive = /\/assets\/sharing-/
    await share.click()
    await expect(page.getByRole('alert').filter({ hasText: 'Das hat nicht geklappt' })).toBeVisible()
    site.captive = undefined
    await page.reload()
    await share.click()
    await expect(page.getByRole('dialog', { name: 'Zähler teilen' })).toBeVisible()
    await site.close()
  })
})
