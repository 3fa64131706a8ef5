import type { Page } from '@playwright/test'
import type { Application as PublicApplication } from '../../../shared/contract/types.ts'
import { customerWith } from '../customer.ts'
import { letters, meters } from '../demo.ts'
import { expectKept } from '../device.ts'
import { expect, expectAccessible, logIn, refusedWith, test } from '../portal.ts'

test('the button says what is missing until it can be pressed', { tag: '@firefox' }, async ({ page }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Anmelden' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription(
    'Der Benutzername hat mindestens 5, das Passwort mindestens 5 Zeichen.',
  )
  await expect(page.getByLabel('Benutzername')).toHaveAccessibleDescription(/mindestens/)
  await page.getByLabel('Benutzername').fill('a n n a . s')
  await expect(page.getByRole('status').filter({ hasText: 'Das Passwort hat mindestens 5 Zeichen.' })).toBeVisible()
  await expect(button).toHaveAccessibleDescription('Das Passwort hat mindestens 5 Zeichen.')
  await page.getByLabel('Passwort', { exact: true }).fill('  1 2 3 4  ')
  await expect(button).toBeDisabled()
  await page.getByLabel('Passwort', { exact: true }).fill('12345')
  await expect(button).toBeEnabled()
})

test('blanks in the letter do not matter, and neither does the case of the name', async ({ page }) => {
  await page.goto('/')
  await logIn(page, { username: ' Anna. Sommer', password: 'birken - 417 ' })
  await expect(page.getByRole('heading', { name: 'Willkommen bei Stadtwerke Birkenfurt' })).toBeVisible()
})

test.describe('with the wrong password', () => {
  test.use({ expectedErrors: [refusedWith(401)] })

  test('a dialog says so, and what was typed stays', async ({ page }) => {
    await page.goto('/')
    await logIn(page, { username: letters.mehmet.username, password: 'nicht-richtig' })
    const dialog = page.getByRole('dialog', { name: 'Anmeldung nicht möglich' })
    await expect(dialog).toContainText('Anmeldung fehlgeschlagen. Bitte prüfen Sie Ihre Anmeldedaten.')
    await expect(dialog).toContainText('noch nicht übermittelt')
    await expect(dialog.getByRole('link', { name: 'Ohne Anmeldung ablesen' })).toHaveAttribute(
      'href',
      '/ablesung-ohne-zugang',
    )
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Anmelden' })).toBeFocused()
    await expect(page.getByLabel('Benutzername')).toHaveValue(letters.mehmet.username)
    await expect(page.getByLabel('Passwort', { exact: true })).toHaveValue('nicht-richtig')
  })

  test('a link that is none of ours leads to the login', async ({ page }) => {
    await page.goto('/m/nichtvonuns0000000000000000')
    const dialog = page.getByRole('dialog', { name: 'Zugang ungültig oder abgelaufen' })
    await expect(dialog).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/')
    await expect(page).toHaveTitle('Zugang ungültig oder abgelaufen – Stadtwerke Birkenfurt')
    await expect(dialog.getByRole('link', { name: 'Ohne Anmeldung ablesen' })).toHaveAttribute(
      'href',
      '/ablesung-ohne-zugang',
    )
    // What comes after the first screen comes after this one, too.
    await expect.poll(() => page.evaluate(() => document.adoptedStyleSheets.length)).toBeGreaterThan(0)
    await dialog.getByRole('button', { name: 'Zur Anmeldung' }).click()
    await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  })

  test('such a link leads to the login beside an account that is logged in', async ({ page }) => {
    await page.goto('/')
    await logIn(page, letters.mehmet)
    await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
    await page.goto('/m/nichtvonuns0000000000000000')
    await page.getByRole('button', { name: 'Zur Anmeldung' }).click()
    await expect(page.getByLabel('Benutzername')).toBeVisible()
  })
})

test.describe('where nothing is wrong with what was typed', () => {
  test.use({ expectedErrors: [refusedWith(503)] })

  test('the same goes once more, and nobody is asked to look at it', async ({ page }) => {
    await page.route('**/auth/token', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { code: 'temporarily-unavailable' },
      }),
    )
    await page.goto('/')
    await logIn(page, letters.mehmet)
    const dialog = page.getByRole('dialog', { name: 'Anmeldung nicht möglich' })
    const again = dialog.getByRole('button', { name: 'Erneut versuchen' })
    await expect(again).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Eingaben prüfen' })).toHaveCount(0)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Schließen' }).last().click()
    await expect(page.getByLabel('Benutzername')).toHaveValue(letters.mehmet.username)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await expect(again).toBeVisible()
    await page.unroute('**/auth/token')
    await again.click()
    await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  })
})

test.describe('after too many attempts', () => {
  test.use({ expectedErrors: [refusedWith(429)] })

  test('a dialog says for how long, and offers the reading without a login', async ({ page }) => {
    await page.route('**/auth/token', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '890' },
        json: { code: 'too-many-attempts' },
      }),
    )
    await page.goto('/')
    await logIn(page, letters.mehmet)
    const dialog = page.getByRole('dialog', { name: 'Anmeldung nicht möglich' })
    await expect(dialog).toContainText('Zu viele Versuche. Bitte versuchen Sie es in 15 Minuten noch einmal.')
    await expect(dialog).toContainText('Der Link und der QR-Code aus Ihrem Anschreiben funktionieren weiterhin.')
    await dialog.getByRole('link', { name: 'Ohne Anmeldung ablesen' }).click()
    await expect(page).toHaveURL('/ablesung-ohne-zugang')
  })
})

test('by link, whose token leaves the address bar at once', { tag: '@firefox' }, async ({ page }) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto(`/m/${letters.rosa.token}`)
  // Her account's language is English.
  await expect(page.getByRole('heading', { name: 'Good to have you here' })).toBeVisible()
  await expect(page).toHaveURL('/introduction')
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page.getByRole('main').getByText(letters.rosa.name)).toBeVisible()
  expect(addresses.filter((address) => address.includes(letters.rosa.token))).toHaveLength(1)
  await page.goBack()
  expect(page.url()).not.toContain(letters.rosa.token)
})

test('a login outlives a reload, and a logout ends it', { tag: '@firefox' }, async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.mehmet)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main').getByText(letters.mehmet.name)).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
})

test('a logout in one tab is one in the other', async ({ page, context }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  const other = await context.newPage()
  await other.goto('/ablesung')
  await expect(other.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
  await other.getByRole('button', { name: 'Benutzermenü' }).click()
  await other.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
})

test('a second account is logged in beside the first one', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: 'Ihr Zugang' })).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('link', { name: 'Weiteren Zugang anmelden' }).click()
  await logIn(page, letters.mehmet)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { name: 'Ihre Zugänge' })).toBeVisible()
  await expect(page.getByRole('main').getByText(letters.anna.name)).toBeVisible()
  await expect(page.getByRole('main').getByText(letters.mehmet.name)).toBeVisible()

  await page.getByRole('link', { name: 'Ablesung' }).first().click()
  const list = page.getByRole('navigation', { name: 'Zähler' })
  await expect(list.getByRole('link').filter({ hasText: meters.due.number })).toBeVisible()
  await expect(list.getByRole('link').filter({ hasText: meters.done.number })).toBeVisible()
  const picker = page.getByLabel('Zugang')
  // The field draws an arrow; the browser draws none beside it.
  await expect(picker).toHaveCSS('appearance', 'none')
  await picker.selectOption(letters.mehmet.name)
  await expect(list.getByRole('link').filter({ hasText: meters.due.number })).toBeVisible()
  await expect(list.getByRole('link').filter({ hasText: meters.done.number })).toHaveCount(0)
})

test('who goes on while a second login is on its way stays there', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: 'Ihr Zugang' })).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('link', { name: 'Weiteren Zugang anmelden' }).click()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/auth/token', async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest('**/auth/token')
  await logIn(page, letters.mehmet)
  await asked
  await page.getByRole('link', { name: 'Ablesung' }).first().click()
  await expect(page.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toBeVisible()
  answer()
  await expect(page.getByRole('navigation', { name: 'Zähler' }).getByText(meters.due.number)).toBeVisible()
  await expect(page).toHaveURL('/ablesung')
})

test('a link adds its account to those that are there', async ({ page }) => {
  await page.goto(`/m/${letters.anna.token}`)
  await expect(page.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
  await page.goto(`/m/${letters.mehmet.token}`)
  await expect(page.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: letters.anna.name })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: letters.mehmet.name })).toBeVisible()
})

test.describe('with settings of the tenant', () => {
  /** The tenant's own settings, changed as the utility's command would change them. */
  const configured = (page: Page, change: (application: PublicApplication) => void) =>
    page.route('**/api/public/application', async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const answer = await route.fetch()
      const application = (await answer.json()) as PublicApplication
      change(application)
      await route.fulfill({ response: answer, json: application })
    })

  test('one account takes the place of the other', async ({ page }) => {
    await configured(page, ({ features }) => {
      features.multipleAccountsLoginEnabled = false
    })
    await page.goto('/')
    await logIn(page, letters.anna)
    await expect(page.getByRole('main').getByText(letters.anna.name)).toBeVisible()
    await page.getByRole('button', { name: 'Benutzermenü' }).click()
    await expect(page.getByRole('button', { name: 'Abmelden' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Weiteren Zugang anmelden' })).toHaveCount(0)
    await page.goto(`/m/${letters.mehmet.token}`)
    await expect(page.getByRole('heading', { name: 'Schön, dass du da bist' })).toBeVisible()
    await page.getByRole('link', { name: 'Start' }).first().click()
    await expect(page.getByRole('heading', { name: 'Dein Zugang' })).toBeVisible()
    await expect(page.getByRole('main').getByText(letters.mehmet.name)).toBeVisible()
  })

  test('a link of another account asks before what was entered is lost', async ({ page }, info) => {
    await configured(page, ({ features }) => {
      features.multipleAccountsLoginEnabled = false
    })
    const { number, ...customer } = await customerWith(info, meters.doubleTariff.id)
    await page.goto('/ablesung')
    await logIn(page, customer)
    await page.getByRole('link', { name: new RegExp(number) }).click()
    const high = page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/)
    await high.pressSequentially('047')
    await expectKept(page, '"pre":"047"')
    page.on('dialog', (question) => void question.accept())
    await page.reload()
    await expect(high).toHaveValue('047')

    // On a slow network the jobs of the new login, which the document's head has asked for, are still on their way when that login ends.
    const ended = page.waitForResponse('**/auth/logout')
    await page.route('**/api/pro/job?*', async (route) => {
      await ended
      await route.fallback()
    })
    await page.goto(`/m/${letters.mehmet.token}`)
    const question = page.getByRole('dialog', { name: 'Noch nicht alles gesendet' })
    await expect(question).toContainText('1 Ablesung ist noch nicht gesendet')
    await question.getByRole('button', { name: 'Angemeldet bleiben' }).click()
    await expect(page.getByRole('main').getByText('Anna Sommer')).toBeVisible()
    await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await expect(high).toHaveValue('047')

    await page.goto(`/m/${letters.mehmet.token}`)
    await question.getByRole('button', { name: 'Löschen und abmelden' }).click()
    await expect(page.getByRole('heading', { name: 'Schön, dass du da bist' })).toBeVisible()
    await page.getByRole('link', { name: 'Start' }).first().click()
    await expect(page.getByRole('main').getByText(letters.mehmet.name)).toBeVisible()
  })

  test('a login leads to the jobs', async ({ page }) => {
    await configured(page, ({ features }) => {
      features.redirectToJobsScreenOnLoginEnabled = true
    })
    await page.goto('/')
    await logIn(page, letters.anna)
    await expect(page).toHaveURL('/ablesung')
    await page.goto(`/m/${letters.anna.token}`)
    await expect(page).toHaveURL('/ablesung')
  })

  test('a single job is opened at once', async ({ page }) => {
    await configured(page, ({ features }) => {
      features.preselectJobIfSingleEnabled = true
    })
    await page.route(/\/api\/pro\/job\?/, async (route) => {
      const answer = await route.fetch()
      const { jobs } = (await answer.json()) as { jobs: { id: string }[] }
      await route.fulfill({ response: answer, json: { jobs: jobs.filter(({ id }) => id === meters.due.id) } })
    })
    await page.goto('/ablesung')
    await logIn(page, letters.mehmet)
    await expect(page).toHaveURL(`/ablesung/${meters.due.id}`)
    // On a phone a step back leads to the list, which has what else can be done.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Zurück' }).click()
    await expect(page).toHaveURL('/ablesung')
    await expect(page.getByRole('button', { name: 'Excel-Export' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Weiteren Zähler ablesen' })).toBeVisible()
  })

  test('the password is typed in clear', async ({ page }) => {
    await configured(page, ({ login }) => {
      login.passwordVisible = true
    })
    await page.goto('/')
    await expect(page.getByLabel('Passwort', { exact: true })).toHaveAttribute('type', 'text')
  })

  test('without public readings there is no tab for them', async ({ page }) => {
    await configured(page, ({ config }) => {
      config.unknownUserReading.unknownUserReadingAllowed = false
    })
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Anmelden' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Ohne Zugang' })).toHaveCount(0)
  })
})

test('the tab without login leads to the reading without login', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Ohne Zugang' }).click()
  await expect(page).toHaveURL('/ablesung-ohne-zugang')
})

test.describe('without an answer', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test('a link is kept, and works once there is one', async ({ page }) => {
    await page.route('**/auth/token', (route) => route.abort())
    await page.goto(`/m/${letters.mehmet.token}`)
    const again = page.getByRole('dialog').getByRole('button', { name: 'Erneut versuchen' })
    await expect(again).toBeVisible()
    await page.unroute('**/auth/token')
    await again.click()
    await expect(page.getByRole('heading', { name: 'Schön, dass du da bist' })).toBeVisible()
  })
})

test('a link with a slash too many works, too', async ({ page, baseURL }) => {
  await page.goto(`${baseURL}//m/${letters.anna.token}`)
  await expect(page.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
  await expect(page).toHaveURL('/introduction')
})
