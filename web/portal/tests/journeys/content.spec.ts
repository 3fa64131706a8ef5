import { letters, meters } from '../demo.ts'
import { expectInstalled, expectSeen } from '../device.ts'
import { expect, expectAccessible, follow, logIn, refusedWith, test } from '../portal.ts'

test('the help is there before the login, and its contents lead to its headings', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Hilfe' }).click()
  await expect(page).toHaveTitle('Hilfe – Stadtwerke Birkenfurt')
  const contents = page.getByRole('navigation', { name: 'Inhalt' })
  await expect(contents.getByRole('link')).toHaveText([
    'Anmelden',
    'Mit dem QR-Code',
    'Die Anmeldung gelingt nicht',
    'Zählerstand eintragen',
    'Der Wert sieht ungewöhnlich aus',
    'Ein Foto mitschicken',
    'Ohne Netz im Keller',
    'Ablesung ändern',
  ])
  await contents.getByRole('link', { name: 'Ablesung ändern' }).click()
  await expect(page.getByRole('heading', { name: 'Ablesung ändern', level: 2 })).toBeInViewport()
  await expectAccessible(page)
})

test('a link to the help that a mail mangled leads to the help', async ({ page }) => {
  await page.goto('/help#%E0%A4%A')
  await expect(page.getByRole('heading', { name: 'Ablesung ändern', level: 2 })).toBeVisible()
})

test('nothing in a help text runs, or is fetched from elsewhere', async ({ page }) => {
  await page.route('**/api/public/help/*/*', (route) =>
    route.fulfill({
      contentType: 'text/markdown; charset=utf-8',
      body: [
        '# Eins <img src="x" onerror="document.title=1"> <script>document.title=2</script>',
        '<p style="color:red" id="root" onclick="alert(1)">Absatz</p>',
        '## Zwei',
        '![Ein Bild](https://elsewhere.example/a.png) [böse](javascript:alert(1)) [gut](https://example.com/)',
        '<form action="/x"><input name="y"></form>',
        '### Drei',
      ].join('\n\n'),
    }),
  )
  await page.goto('/help')
  const contents = page.getByRole('navigation', { name: 'Inhalt' })
  await expect(contents.getByRole('link')).toHaveText([/^Eins/, 'Zwei'])
  await expect(page).toHaveTitle('Hilfe – Stadtwerke Birkenfurt')
  const text = page.locator('.markdown')
  await expect(text).toContainText('Ein Bild')
  await expect(text.locator('img, script, form, input, [style], [onclick], #root')).toHaveCount(0)
  await expect(text.getByText('böse')).not.toHaveAttribute('href')
  await expect(text.getByRole('link', { name: 'gut (öffnet in neuem Tab)' })).toHaveAttribute('rel', /noopener/)
})

test.describe('without a help', () => {
  test.use({ expectedErrors: [refusedWith(404)] })

  test('no entry leads to it', async ({ page }) => {
    await page.route('**/api/public/help/*', (route) =>
      route.fulfill({ status: 404, contentType: 'application/problem+json', json: { code: 'not-found', status: 404 } }),
    )
    const answered = page.waitForResponse('**/api/public/help/*')
    await page.goto('/')
    await logIn(page, letters.anna)
    await answered
    const navigation = page.getByRole('navigation', { name: 'Hauptnavigation' })
    await expect(navigation.getByRole('link', { name: 'Auswertung' })).toBeVisible()
    await expect(navigation.getByRole('link', { name: 'Hilfe' })).toHaveCount(0)
  })
})

test.describe('without a network', () => {
  test.use({ expectedErrors: [/Failed to load resource: net::ERR_FAILED .*\/api\/public\/help\//] })

  test('the help that was seen can be read again', async ({ page }) => {
    await page.goto('/help')
    await expect(page.getByRole('heading', { name: 'Anmelden', level: 2 })).toBeVisible()
    await expectSeen(page, 'Ohne Netz im Keller')
    await page.route('**/api/public/help/**', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Anmelden', level: 2 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Hilfe' })).toBeVisible()
  })
})

test('home says how to reach the utility, in the language of the portal', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: 'Kontakt' })).toBeVisible()
  await expect(page.getByText('Wir sind für Sie da')).toBeVisible()
  await expect(page.getByText('Kein Brief zur Hand?')).toHaveCount(0)
  await expect(page.getByRole('link', { name: '0800 555 0142' })).toHaveAttribute('href', 'tel:08005550142')
  await expectAccessible(page)
})

test('a meter has the instructions for its kind beside it', async ({ page }) => {
  await page.goto(`/ablesung/${meters.doubleTariff.id}`)
  await logIn(page, letters.anna)
  const button = page.getByRole('button', { name: 'Wie lese ich diesen Zähler ab?' })
  await button.click()
  const panel = page.getByRole('complementary', { name: 'Ablesehilfe' })
  await expect(panel.getByRole('heading', { name: 'Zweitarifzähler ablesen' })).toBeVisible()
  await expect(panel.getByRole('heading', { name: 'Stromzähler ablesen', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await panel.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(button).toBeFocused()
  // In the reader's language where the tenant has them in it, else in its own, which is said.
  for (const language of ['Deutsch (Du)', 'English'])
    await page.getByRole('button', { name: `Sprache wechseln zu ${language}` }).click()
  await page.getByRole('button', { name: 'How do I read this meter?' }).click()
  await expect(page.getByRole('heading', { name: 'Reading a double-tariff meter' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Zweitarifzähler ablesen' })).toHaveCount(0)
  await follow(page, `/ablesung/${meters.done.id}`)
  await page.getByRole('button', { name: 'How do I read this meter?' }).click()
  await expect(page.locator('.markdown[lang="de"]')).toContainText('Wasserzähler ablesen')
})

test.describe('installed', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/] })

  test('the instructions of a meter that was opened are there without a network', async ({ page, context }) => {
    const text = page.waitForResponse(/\/assets\/markdown-[^/]*\.js$/)
    await page.goto(`/ablesung/${meters.doubleTariff.id}`)
    await logIn(page, letters.anna)
    await text
    await expectInstalled(page)
    await context.setOffline(true)
    await page.reload()
    await page.getByRole('button', { name: 'Wie lese ich diesen Zähler ab?' }).click()
    await expect(page.getByRole('heading', { name: 'Zweitarifzähler ablesen' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: /vor dem Komma/ }).first()).toBeVisible()
  })
})

test('a meter without instructions has no help beside it', async ({ page }) => {
  await page.route('**/api/public/meterReadingHelp/*', (route) => route.fulfill({ json: { instructions: [] } }))
  await page.goto(`/ablesung/${meters.doubleTariff.id}`)
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: meters.doubleTariff.number })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Wie lese ich diesen Zähler ab?' })).toHaveCount(0)
})
