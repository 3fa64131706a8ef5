import type { Page } from '@playwright/test'
import { letters } from '../demo.ts'
import { expect, expectAccessible, logIn, test } from '../portal.ts'

const SECTIONS = [
  'Geltungsbereich',
  'Rechtsgrundlage',
  'Erstellung dieser Erklärung',
  'Alternativen und hoher Kontrast',
  'Stand der Umsetzung',
  'Barrieren melden: Kontakt',
  'Durchsetzungsverfahren',
]

const footerLink = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'Barrierefreiheit' })
const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** The tenant without an address for its statement, and with other content for it. */
const withStatement = (page: Page, accessibility: object) =>
  page.route('**/api/public/application', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const application = await response.json()
    application.config.legal.accessibility = { enabled: true, url: '' }
    application.accessibility = { ...application.accessibility, ...accessibility }
    await route.fulfill({ response, json: application })
  })

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 860 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('the statement is there with and without a login', async ({ page }) => {
      await page.goto('/')
      await footerLink(page).click()
      await expect(title(page)).toHaveText('Erklärung zur Barrierefreiheit')
      await expect(page).toHaveURL(/\/accessibility$/)
      await expect(page).toHaveTitle('Erklärung zur Barrierefreiheit – Stadtwerke Birkenfurt')
      await expect(page.getByRole('heading', { level: 2 })).toHaveText(SECTIONS)
      await expectAccessible(page)
      const cutOff = () => page.locator('html').evaluate((page) => page.scrollWidth - page.clientWidth)
      await expect.poll(cutOff).toBe(0)

      await page.getByRole('banner').getByRole('link', { name: 'Stadtwerke Birkenfurt' }).click()
      await logIn(page, letters.anna)
      await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
      await footerLink(page).click()
      await expect(page.getByRole('heading', { level: 2 })).toHaveText(SECTIONS)
      await expectAccessible(page)
    })

    test("a tenant's own statement takes its place", async ({ page }) => {
      await withStatement(page, {
        customContent: `
          <h1 onclick="alert(1)">Unsere Erklärung</h1><p style="color: red" class="panel" id="main">Stand: <b>heute</b></p>
          <style>main { display: none }</style><script>document.title = 'entered'</script><img src="https://example.org/a.png" onerror="document.title = 'entered'">
          <h2>Kontakt</h2><p><a href="https://example.org/form">Formular</a> <a href="mailto:a@example.org">E-Mail</a>
          <a href="javascript:document.title = 'entered'">Falle</a> <a href="//example.org">Umweg</a></p>
          <form action="https://example.org"><input name="password"></form><iframe src="https://example.org"></iframe>
          <table><tbody><tr><th scope="row">Telefon</th><td>0800 555 0142</td></tr></tbody></table>`,
      })
      await page.goto('/')
      await footerLink(page).click()
      await expect(title(page)).toHaveText('Erklärung zur Barrierefreiheit')
      await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Unsere Erklärung'])
      await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Kontakt'])
      const main = page.getByRole('main')
      await expect(main.getByRole('link', { name: 'Formular (öffnet in neuem Tab)' })).toHaveAttribute(
        'rel',
        'noreferrer',
      )
      await expect(main.getByRole('link', { name: 'E-Mail' })).toHaveAttribute('href', 'mailto:a@example.org')
      await expect(main.getByRole('link')).toHaveCount(2)
      await expect(main.getByRole('rowheader', { name: 'Telefon' })).toHaveAttribute('scope', 'row')
      await expect(
        main.locator('script, style, img, form, input, iframe, [style], [onclick], .rich-text :is([id], .panel)'),
      ).toHaveCount(0)
      await expect(page).toHaveTitle('Erklärung zur Barrierefreiheit – Stadtwerke Birkenfurt')
      await expectAccessible(page)
    })
  })
}

test('the statement says what the tenant has configured', async ({ page }) => {
  await page.goto('/accessibility')
  const statement = page.getByRole('article')
  const section = (name: string) => statement.getByRole('region', { name })
  await expect(section('Geltungsbereich')).toContainText('Stadtwerke Birkenfurt GmbH')
  await expect(section('Rechtsgrundlage').getByRole('listitem')).toHaveCount(3)
  await expect(section('Erstellung dieser Erklärung')).toContainText(
    /am 15\.04\.2025 erstellt.*vom 03\.04\.2025 bis zum 14\.04\.2025/,
  )
  await expect(section('Alternativen und hoher Kontrast').getByRole('link')).toHaveText([
    '0800 555 0142',
    /^Anfahrt und Öffnungszeiten/,
  ])
  await expect(section('Stand der Umsetzung')).toContainText('teilweise vereinbar')
  const contact = section('Barrieren melden: Kontakt')
  await expect(contact.getByRole('term')).toHaveText(['Ansprechstelle', 'E-Mail', 'Telefon', 'Brief', 'Formular'])
  await expect(contact.getByRole('link', { name: '0800 555 0142' })).toHaveAttribute('href', 'tel:08005550142')
  // A private company: the Länder's joint office, which no tenant need name.
  const office = section('Durchsetzungsverfahren')
  await expect(office).toContainText('innerhalb von vier Wochen')
  await expect(office).toContainText('an die folgende Marktüberwachungsbehörde wenden')
  await expect(office.getByRole('definition')).toHaveText([/\(MLBF\)$/, 'Magdeburg'])

  await section('Alternativen und hoher Kontrast').getByRole('button', { name: 'Hohen Kontrast einschalten' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'more')
  await section('Alternativen und hoher Kontrast').getByRole('button', { name: 'Hohen Kontrast ausschalten' }).click()
  await expect(page.locator('html')).not.toHaveAttribute('data-contrast', 'more')
})

test('the statement of a tenant that has configured nothing for it', async ({ page, baseURL }) => {
  const address = new URL('/accessibility', baseURL)
  address.hostname = 'nachbar.localhost'
  await page.goto(address.href)
  const headings = page.getByRole('article').getByRole('heading', { level: 2 })
  await expect(headings).toHaveText(SECTIONS)
  const section = (name: string) => page.getByRole('article').getByRole('region', { name })
  await expect(section('Geltungsbereich')).toContainText('Anbieter ist Gemeindewerke Nachbarau.')
  await expect(section('Barrieren melden: Kontakt').getByRole('term')).toHaveCount(0)
  await expect(section('Durchsetzungsverfahren').getByRole('term')).toHaveCount(0)
})

test('the statement of a public body names its own office and law', async ({ page }) => {
  await withStatement(page, {
    regime: 'BITV',
    legals: [],
    enforcementOffice: { name: 'Landesstelle', email: 'durchsetzung@example.org', web: 'https://example.org/stelle' },
  })
  await page.goto('/accessibility')
  const section = (name: string) => page.getByRole('article').getByRole('region', { name })
  await expect(section('Rechtsgrundlage')).toContainText('Barrierefreie-Informationstechnik-Verordnung (BITV 2.0)')
  const office = section('Durchsetzungsverfahren')
  await expect(office).toContainText('an die folgende Durchsetzungsstelle wenden')
  await expect(office.getByRole('term')).toHaveText(['Stelle', 'E-Mail', 'Internet'])
  await expect(office.getByRole('link', { name: /^durchsetzung@/ })).toHaveAttribute('href', /^mailto:durchsetzung@/)
  await expect(page.getByRole('article')).not.toContainText(/MLBF|Barrierefreiheitsstärkungsgesetz/)
  await expectAccessible(page)
})

test('a private company without an entry has the common law and office', async ({ page }) => {
  await withStatement(page, { regime: 'BFSG', legals: [], enforcementOffice: null })
  await page.goto('/accessibility')
  await expect(
    page.getByRole('article').getByRole('region', { name: 'Rechtsgrundlage' }).getByRole('listitem'),
  ).toHaveText(['Barrierefreiheitsstärkungsgesetz (BFSG)', 'Verordnung zum Barrierefreiheitsstärkungsgesetz (BFSGV)'])
  await expect(page.getByRole('article')).toContainText('(MLBF)')
  await expect(page.getByRole('article')).not.toContainText('BITV')
})

// D-PORTAL-4
test('what the tenant has not configured is not claimed', async ({ page }) => {
  await withStatement(page, {
    regime: null,
    companyName: null,
    mainUrl: null,
    legals: [],
    alternatives: [],
    contact: null,
    enforcementOffice: null,
  })
  await page.goto('/accessibility')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(SECTIONS)
  await expect(page.getByRole('article')).toContainText(
    'Vorgaben zur Barrierefreiheit, die für Stadtwerke Birkenfurt gelten',
  )
  await expect(page.getByRole('article')).toContainText('an die zuständige Durchsetzungsstelle wenden.')
  await expect(page.getByRole('article').getByRole('term')).toHaveCount(0)
  await expectAccessible(page)
})

test('in English the statement stays German with the days of the tenant, and says so', async ({ page }) => {
  await page.route('**/api/public/application', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const application = await response.json()
    const german = { ...application.translations['de-FORMAL'], 'accessibility.dates.created': '01.10.2026' }
    const translations = { ...application.translations, 'de-FORMAL': german }
    await route.fulfill({ response, json: { ...application, translations } })
  })
  await page.goto('/accessibility')
  await page.getByRole('button', { name: 'Sprache wechseln zu Deutsch (Du)' }).click()
  await expect(page.getByText('nur auf Deutsch')).toBeHidden()
  await page.getByRole('button', { name: 'Sprache wechseln zu English' }).click()
  await expect(title(page)).toHaveText('Accessibility statement')
  await expect(page.getByText('It is available in German only.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(SECTIONS)
  await expect(page.getByRole('article')).toContainText('wurde am 01.10.2026 erstellt')
  await expect(page.getByRole('button', { name: 'Turn high contrast on' })).toHaveAttribute('lang', 'en')
  await expectAccessible(page)
})
