import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { siteFiles } from '../../../../infra/files.ts'
import { letters, meters } from '../demo.ts'
import { expect, follow, logIn, refusedWith, test } from '../portal.ts'

test('an address that leads nowhere leads back to the start', async ({ page }) => {
  await page.goto('/gibt-es-nicht')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: 'Diese Seite gibt es nicht' })).toBeVisible()
  await page.getByRole('link', { name: 'Zurück zum Start' }).click()
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
})

test('a meter that is not ours does not exist', async ({ page }) => {
  await page.goto('/ablesung/gibt-es-nicht')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: 'Diesen Zähler gibt es nicht' })).toBeVisible()
  await page.getByRole('link', { name: 'Zur Übersicht' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
})

test('the language goes round and is kept', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  await expect(page.getByText('Melden Sie sich')).toBeVisible()
  await page.getByRole('button', { name: 'Sprache wechseln zu Deutsch (Du)' }).click()
  await expect(page.getByText('Melde dich')).toBeVisible()
  await page.getByRole('button', { name: 'Sprache wechseln zu English' }).click()
  await expect(page.getByRole('heading', { name: 'Submit your meter reading' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Submit your meter reading' })).toBeVisible()
  await page.getByRole('button', { name: 'Switch language to Deutsch' }).click()
  await expect(page.getByText('Melden Sie sich')).toBeVisible()
})

test('in high contrast a button that cannot be pressed looks like none, and no card lacks a side', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(`/ablesung/${meters.doubleTariff.id}`)
  await page.getByRole('button', { name: 'Hoher Kontrast' }).click()
  await expect(page.getByRole('button', { name: 'Anmelden' })).toHaveCSS('border-style', 'dashed')
  await logIn(page, letters.anna)
  await expect(page.getByRole('button', { name: 'Zählerstände senden' })).toHaveCSS('border-style', 'dashed')
  const left = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((box) => box.getBoundingClientRect().left)
  // As wide as what frames it, which is a shadow.
  expect((await left('.list-and-detail__pane .panel')) - (await left('.list-and-detail__pane'))).toBe(2)
})

test('high contrast is kept', async ({ page }) => {
  await page.goto('/')
  const toggle = page.getByRole('button', { name: 'Hoher Kontrast' })
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'more')
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
})

test('the footer names the tenant and links what the law asks for', async ({ page }) => {
  await page.goto('/')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('Stadtwerke Birkenfurt')
  await expect(footer.getByRole('link', { name: /^Impressum/ })).toHaveAttribute('href', /^https:.*impressum$/)
  await expect(footer.getByRole('link', { name: /^Datenschutz/ })).toHaveAttribute('href', /^https:.*datenschutz$/)
  await expect(footer.getByRole('link', { name: 'Barrierefreiheit' })).toHaveAttribute('href', '/accessibility')
})

for (const path of ['/accessibility', '/ablesung-ohne-zugang']) {
  test(`without a login, ${path} shows the way on, and no start`, async ({ page }) => {
    await page.goto(path)
    const entries = page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link')
    await expect(entries).toHaveText(['Ablesung', 'Auswertung', 'Hilfe'])
    // None of them leads here.
    await expect(entries.and(page.locator('[aria-current]'))).toHaveCount(0)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Hilfe' })).toHaveCount(1)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(entries).toHaveCount(0)
    await page.getByRole('banner').getByRole('link', { name: 'Hilfe' }).click()
    await expect(page).toHaveURL('/help')
  })
}

test('a file that is not there is missing, whatever else leads to the portal', async ({ request, baseURL }) => {
  for (const path of ['/favicon.ico', '/apple-touch-icon.png', '/assets/of-yesterday.js', '/.env']) {
    expect((await request.get(baseURL + path)).status(), path).toBe(404)
  }
  expect((await request.get(`${baseURL}/ablesung/zaehler.7`)).headers()['content-type']).toMatch(/^text\/html/)
  // What production takes for a file (infra/files.ts) is what this build has, or the desk's.
  const built = ['../../dist', '../../../desk/dist'].flatMap((folder) =>
    readdirSync(fileURLToPath(new URL(folder, import.meta.url)), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `/${name}`),
  )
  expect([...new Set(built)].toSorted()).toEqual(siteFiles)
})

test('on a home screen the portal has the icon of the utility, square and on its colour', async ({
  page,
  request,
  baseURL,
}) => {
  await page.goto('/')
  const apple = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  const manifest = await (await request.get(`${baseURL}/api/public/application/manifest/manifest.json`)).json()
  const icons: { src: string; sizes: string; purpose: string }[] = manifest.icons
  expect(icons.map(({ sizes }) => sizes)).toEqual(['180x180', '192x192', '512x512'])
  expect(icons.at(-1)?.purpose).toContain('maskable')
  expect(icons.map(({ src }) => src)).toContain(apple)
  for (const { src, sizes } of icons) {
    const answer = await request.get(baseURL + src)
    expect([answer.headers()['content-type'], answer.headers()['cache-control']]).toEqual(['image/png', 'no-cache'])
    const [width, height, corner] = await page.evaluate(async (address) => {
      const image = await createImageBitmap(await (await fetch(address)).blob())
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      return [image.width, image.height, context?.getImageData(0, 0, 1, 1).data.join()]
    }, src)
    expect([`${width}x${height}`, corner]).toEqual([sizes, '20,82,58,255'])
  }
})

test('the service worker has the address that the specification gives it (P7)', async ({ request, baseURL }) => {
  const script = await request.get(`${baseURL}/service-worker.js`)
  expect(script.headers()['content-type']).toBe('text/javascript')
})

test('the tenant has its colours', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('banner')).toHaveCSS('background-color', 'rgb(20, 82, 58)')
})

test('the keyboard reaches the content first, and Escape closes the menu', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Zum Inhalt' })).toBeFocused()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await expect(page.getByRole('button', { name: 'Abmelden' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Abmelden' })).toBeHidden()
})

test('going back closes the menu', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await expect(page).toHaveURL('/ablesung')
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await expect(page.getByRole('button', { name: 'Abmelden' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Abmelden' })).toBeHidden()
})

test('after a login the focus is on the screen that it brought', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('on the smallest screens the logo lies under no button', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  for (const path of ['/', `/auswertung/${meters.done.id}`]) {
    await follow(page, path)
    for (const width of [320, 340, 360, 390]) {
      await page.setViewportSize({ width, height: 700 })
      await expect(async () => {
        const logo = await page.locator('.brand__logo').boundingBox()
        const tools = await page.locator('.header__tools').boundingBox()
        expect(logo && tools && logo.x + logo.width <= tools.x).toBe(true)
        expect(logo?.width).toBeGreaterThan(48)
      }).toPass()
    }
  }
})

test('on a small screen deeper pages have a way back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/ablesung/${meters.done.id}`)
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { level: 1, name: meters.done.number })).toBeVisible()
  await page.getByRole('button', { name: 'Zurück' }).click()
  await expect(page).toHaveURL('/ablesung')
  await expect(page.getByRole('button', { name: 'Zurück' })).toHaveCount(0)
})

test.describe('with a server that is out of order', () => {
  test.use({ expectedErrors: [refusedWith(503)] })

  test('a portal that cannot be reached says so', async ({ page }) => {
    await page.route('**/api/public/application', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Das Portal ist gerade nicht erreichbar' })).toBeVisible()
    await page.unroute('**/api/public/application')
    await page.getByRole('button', { name: 'Seite neu laden' }).click()
    await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  })

  test('a notification goes away by itself after ten seconds, and not while it is read', async ({ page }) => {
    await page.clock.install()
    await page.goto('/')
    await page.clock.runFor(1000)
    await logIn(page, letters.anna)
    await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
    await page.route(/\/api\/pro\/job\?/, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { code: 'temporarily-unavailable' },
      }),
    )
    await page.reload()
    await page.clock.runFor(1000)
    await page.getByRole('link', { name: 'Ablesung', exact: true }).click()
    const toast = page.getByRole('alert').filter({ hasText: 'Aktualisierung fehlgeschlagen' })
    await expect(toast).toBeVisible()
    await toast.hover()
    // From here on the clock stands still but for what is said.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    await page.clock.runFor(11_000)
    await expect(toast).toBeVisible()
    await page.mouse.move(0, 0)
    await page.clock.runFor(9000)
    await expect(toast).toBeVisible()
    await page.clock.runFor(1500)
    await expect(toast).toBeHidden()
  })
})
