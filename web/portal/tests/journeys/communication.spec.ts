import type { APIRequestContext, Page } from '@playwright/test'
import { letters } from '../demo.ts'
import { jobsOf, plausible } from '../ledger.ts'
import { linkInMail, mailsTo, newAddress } from '../mails.ts'
import { operate } from '../operator.ts'
import { expect, expectAccessible, refusedWith, test } from '../portal.ts'
import { type NewAccess, registrationPath, shareJobs } from '../share.ts'

const INFO = '**/api/pro/account/crm-registration-info'
const RECEIPTS = '**/api/pro/job/reading-receipts'
const CARD = 'Digitale Kommunikation'

const dialog = (page: Page) => page.getByRole('dialog', { name: CARD })
const inBar = (page: Page) => page.getByRole('banner').getByRole('button', { name: CARD })
const onStart = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Jetzt registrieren' })

/** The browser hears that the window has the focus again. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

/** An account of its own for a journey, with some of the manager's jobs; no two journeys send for the same one. */
async function accessTo(request: APIRequestContext, ...ids: string[]): Promise<NewAccess> {
  const jobs = await jobsOf(request, letters.manager)
  return shareJobs(
    request,
    letters.manager,
    ids.flatMap((id) => jobs.find((job) => job.id === id) ?? []),
  )
}

async function open(page: Page, { path }: NewAccess): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
}

/** Types a value that is not unusual, and sends it. */
async function send(page: Page, access: NewAccess, index: number): Promise<void> {
  const job = access.jobs[index]
  if (!job) throw new Error('no such job')
  await page.getByRole('textbox', { name: /vor dem Komma/ }).pressSequentially(plausible(job))
  await page.getByRole('button', { name: 'Zählerstand senden' }).click()
  await expect(page.getByText('Senden erfolgreich')).toBeVisible()
}

async function read(page: Page, access: NewAccess, index: number): Promise<void> {
  await page.goto(`/ablesung/${access.jobs[index]?.id}`)
  await send(page, access, index)
}

async function register(page: Page, address: string): Promise<void> {
  await page.getByLabel('E-Mail-Adresse').fill(address)
  await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
  await page.getByRole('button', { name: 'Registrieren' }).click()
  await expect(page.getByText(`Wir haben eine E-Mail an ${address} geschickt.`)).toBeVisible()
}

async function confirm(page: Page, address: string, count: number): Promise<void> {
  await page.goto(await linkInMail(address, count, '/registrierung/bestaetigen/'))
  await page.getByRole('button', { name: 'Adresse bestätigen' }).click()
  await expect(page.getByRole('heading', { name: 'Ihre Adresse ist bestätigt' })).toBeFocused()
}

test('the last meter opens the dialog; who registers elsewhere finds the receipt sent on coming back', async ({
  page,
  request,
}) => {
  test.slow()
  const access = await accessTo(request, '20001-0027', '20001-0029')
  await open(page, access)
  await read(page, access, 0)
  await expect(dialog(page)).toBeHidden()
  await read(page, access, 1)
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByText('Alle Zähler sind abgelesen.')).toBeVisible()
  await expectAccessible(page)

  const opened = page.waitForEvent('popup')
  await dialog(page).getByRole('link', { name: 'Registrieren' }).click()
  const crm = await opened
  await expect(crm).toHaveURL(/\/registrierung\/m\/[^/?]+\?ref=zaehlwerk$/)
  const address = newAddress()
  await register(crm, address)
  // Pending is not registered.
  await comeBack(page)
  await expect(dialog(page).getByRole('link', { name: 'Registrieren' })).toBeVisible()
  await confirm(crm, address, 1)

  await comeBack(page)
  await expect(page.getByText('Die Bestätigung für 2 Zähler ist unterwegs.')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expect
    .poll(async () => (await mailsTo(address)).map(({ Subject }) => Subject))
    .toContain('Ihre Ablesebestätigung für 2 Zähler')

  // Blocked until there is a new reading (L4, L8).
  await inBar(page).click()
  await expect(dialog(page).getByText(/^Die nächste Bestätigung können Sie anfordern, wenn/)).toBeVisible()
  const ask = dialog(page).getByRole('button', { name: 'Bestätigung anfordern' })
  await expect(ask).toBeDisabled()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Schließen' }).last().click()
  await page.getByRole('button', { name: 'Erneut senden' }).click()
  await send(page, access, 1)
  await inBar(page).click()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(RECEIPTS, async (route) => {
    await held
    await route.continue()
  })
  await ask.click()
  // Not closable while sending.
  await expect(dialog(page).getByRole('button', { name: 'Schließen' }).first()).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()
  answer()
  await expect(page.getByText('Die Bestätigung für 1 Zähler ist unterwegs.')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
})

test('the dialog opens also where it is known late what is registered', async ({ page, request }) => {
  const access = await accessTo(request, '20001-0106')
  await open(page, access)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(INFO, async (route) => {
    await held
    await route.continue()
  })
  await read(page, access, 0)
  await expect(dialog(page)).toBeHidden()
  answer()
  await expect(dialog(page).getByText('Alle Zähler sind abgelesen.')).toBeVisible()
})

test('who registers before reading is told that it is done', async ({ page, request }) => {
  const access = await accessTo(request, '20001-0052')
  await open(page, access)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: CARD })).toBeVisible()
  await expectAccessible(page)
  await onStart(page).click()
  const link = dialog(page).getByRole('link', { name: 'Registrieren' })
  const opened = page.waitForEvent('popup')
  await link.click()
  const crm = await opened
  const address = newAddress()
  await register(crm, address)
  await confirm(crm, address, 1)
  await dialog(page).getByRole('button', { name: 'Schon bestätigt? Jetzt prüfen' }).click()
  await expect(page.getByText('Registrierung abgeschlossen')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await page.getByRole('main').getByRole('button', { name: 'Ablesebestätigung' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Bestätigung anfordern' })).toBeDisabled()
  await expect(dialog(page).getByText(/^Sobald ein Zähler abgelesen ist/)).toBeVisible()
  expect(await mailsTo(address)).toHaveLength(1)
})

test.describe('when the receipt fails', () => {
  test.use({ expectedErrors: [refusedWith(503)] })

  test('a message says for how many meters, and the next one waits for new readings', async ({ page, request }) => {
    const access = await accessTo(request, '20001-0054')
    await page.route(INFO, (route) =>
      route.fulfill({
        json: {
          registered: true,
          currentConfirmedCommunicationTypes: ['EMAIL'],
          selfServiceToken: 'abc',
          registrationUrl: 'https://crm.example.org/start',
        },
      }),
    )
    await page.route(RECEIPTS, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', json: { code: 'crm-unavailable' } }),
    )
    await open(page, access)
    await read(page, access, 0)
    await dialog(page).getByRole('button', { name: 'Bestätigung anfordern' }).click()
    // Where it was asked for, and for as long as the dialog is open.
    const failure = dialog(page).getByRole('alert')
    await expect(failure).toContainText('Ablesebestätigung fehlgeschlagen')
    await expect(failure.getByText(/^Für 1 Zähler konnte keine Bestätigung gesendet werden\./)).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'Bestätigung anfordern' })).toBeDisabled()
    await expect(dialog(page).getByRole('link', { name: /^Registrierung ansehen/ })).toHaveAttribute(
      'href',
      'https://crm.example.org/start/m/abc?ref=zaehlwerk',
    )
  })
})

test.describe('when the network goes while a receipt is asked for', () => {
  test.use({ expectedErrors: [/net::ERR_(INTERNET_DISCONNECTED|FAILED)/] })

  test('the dialog stays until it is known, and the failure is said', async ({ page, context, request }) => {
    const access = await accessTo(request, '20001-0056')
    await page.route(INFO, (route) =>
      route.fulfill({ json: { registered: true, currentConfirmedCommunicationTypes: ['EMAIL'] } }),
    )
    let cut = () => {}
    const held = new Promise<void>((resolve) => {
      cut = resolve
    })
    await page.route(RECEIPTS, async (route) => {
      await held
      await route.abort()
    })
    await open(page, access)
    await read(page, access, 0)
    await dialog(page).getByRole('button', { name: 'Bestätigung anfordern' }).click()
    await context.setOffline(true)
    await expect(inBar(page)).toHaveCount(0)
    await expect(dialog(page).getByRole('button', { name: 'Schließen' }).first()).toBeDisabled()
    cut()
    await expect(page.getByText('Ablesebestätigung fehlgeschlagen')).toBeVisible()
    await expect(page.getByText(/^Für 1 Zähler konnte keine Bestätigung gesendet werden\./)).toBeVisible()
    await expect(dialog(page)).toBeHidden()
  })
})

test('without an address of the registration the dialog says so', async ({ page }) => {
  await page.route(INFO, (route) =>
    route.fulfill({
      json: {
        registered: false,
        currentConfirmedCommunicationTypes: [],
        selfServiceToken: 'abc',
        registrationUrl: null,
      },
    }),
  )
  await page.goto(`/m/${letters.mehmet.token}`)
  await inBar(page).click()
  await expect(dialog(page).getByText('Registrierung nicht möglich')).toBeVisible()
  await expect(dialog(page).getByText(/^Die Adresse der Registrierung fehlt\./)).toBeVisible()
  await expect(dialog(page).getByRole('link')).toHaveCount(0)
  await expectAccessible(page)
})

test.describe('without a network', () => {
  // What was being asked when the network went.
  test.use({ expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/] })

  test('and for several accounts, there is nothing of it', async ({ page, context }) => {
    await page.goto(`/m/${letters.mehmet.token}`)
    await expect(inBar(page)).toBeVisible()
    await context.setOffline(true)
    await expect(inBar(page)).toHaveCount(0)
    await context.setOffline(false)
    await expect(inBar(page)).toBeVisible()
    await page.goto(`/m/${letters.rosa.token}`)
    await expect(page.getByRole('heading', { name: /^Schön, dass/ })).toBeVisible()
    await page.goto('/')
    await expect(page.getByRole('main').getByText(letters.mehmet.name)).toBeVisible()
    // There is no request whose answer could be waited for.
    await page.waitForLoadState('networkidle')
    await expect(inBar(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { name: CARD })).toHaveCount(0)
  })
})

// D-PORTAL-3
test('the button stands where the tenant wants it, and the dialog waits where it is not to open by itself', async ({
  page,
  request,
}) => {
  await page.route('**/api/public/application', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const application = await response.json()
    application.crmSettings = {
      ...application.crmSettings,
      registrationPlacements: ['HOME'],
      receiptPlacements: ['MENU'],
      showModalAfterLastJobCompleted: false,
    }
    await route.fulfill({ response, json: application })
  })
  const access = await accessTo(request, '20001-0102')
  await open(page, access)
  await page.goto('/')
  await expect(onStart(page)).toBeVisible()
  await expect(inBar(page)).toHaveCount(0)
  await read(page, access, 0)
  await expect(dialog(page)).toHaveCount(0)
})

test('a registration can be changed and ended, and a mail scanner confirms nothing', async ({ page, request }) => {
  const access = await accessTo(request, '20001-0104')
  const path = await registrationPath(request, { token: access.token })
  await page.goto(path)
  await expect(page.getByRole('heading', { name: CARD, level: 1 })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Registrieren' }).click()
  await expect(page.getByText('Bitte geben Sie eine gültige E-Mail-Adresse an.')).toBeVisible()
  await expect(
    page.getByText('Zum Übermitteln Ihrer Daten stimmen Sie bitte der Datenschutzerklärung zu.'),
  ).toBeVisible()
  await expectAccessible(page)
  const address = newAddress()
  await page.getByLabel('E-Mail-Adresse').fill(address)
  await page.getByRole('button', { name: 'Registrieren' }).click()
  const consent = page.getByRole('checkbox', { name: /Datenschutzerklärung/ })
  await expect(consent).toBeFocused()
  await expect(consent).toHaveAccessibleDescription(/^Zum Übermitteln Ihrer Daten/)
  await register(page, address)
  // What was sent took the button along.
  await expect(page.getByRole('heading', { name: CARD, level: 1 })).toBeFocused()
  await page.reload()
  await expect(page.getByText('Wir haben eine E-Mail an j***@example.org geschickt.')).toBeVisible()

  const link = await linkInMail(address, 1, '/registrierung/bestaetigen/')
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Adresse bestätigen' })).toBeVisible()
  await expectAccessible(page)
  await page.goto(path)
  await expect(page.getByText('Bitte bestätigen Sie Ihre Adresse')).toBeVisible()
  await confirm(page, address, 1)
  await expectAccessible(page)

  await page.goto(path)
  await expect(page.getByText('Bestätigungen gehen an j***@example.org.')).toBeVisible()
  await expect(page.getByText(/erinnern wir Sie per E-Mail an j\*\*\*@example\.org\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Keine Erinnerungen und Einladungen mehr' }).click()
  await expect(page.getByText('Sie bekommen keine Erinnerungen und Einladungen mehr')).toBeVisible()
  await expect(page.getByText(/^Sie haben die Erinnerungen abbestellt\./)).toBeVisible()
  await expect(page.getByText('Bestätigungen gehen an j***@example.org.')).toBeVisible()
  await expectAccessible(page)
  const other = newAddress()
  await register(page, other)
  await expect(page.getByText('Bis dahin gilt j***@example.org.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Registrierung beenden' }).click()
  const question = page.getByRole('dialog', { name: 'Registrierung beenden?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Ja, beenden' }).click()
  await expect(page.getByText('Die Registrierung ist beendet')).toBeVisible()
  await expect(page.getByText('Bestätigungen gehen an')).toHaveCount(0)
  await expect(page.getByText(/öffnen Sie die Registrierung aus dem Portal heraus\.$/)).toBeVisible()
})

test.describe('a reminder', () => {
  test.use({ expectedErrors: [/Failed to load resource: net::ERR_FAILED/] })

  test('leads to a page that ends reminders and leaves receipts', async ({ page, request }) => {
    // One of Mehmet's meters is due in three days.
    const registration = await registrationPath(request, { token: letters.mehmet.token })
    const address = newAddress()
    await page.goto(registration)
    await register(page, address)
    await confirm(page, address, 1)
    await operate('reminders', 'send', '--tenant', 'birkenfurt')
    const link = await linkInMail(address, 2, '/abmelden/')

    const stop = page.getByRole('button', { name: 'Keine Erinnerungen und Einladungen mehr' })
    // A mail program may open the address that is meant for itself.
    await page.goto(link.replace('/abmelden/', '/api/public/unsubscribe/'))
    await expect(page).toHaveURL(link)
    await expect(page.getByRole('heading', { name: 'Erinnerungen und Einladungen abbestellen' })).toBeVisible()
    await expectAccessible(page)

    await page.route('**/api/public/unsubscribe/*', (route) => route.abort())
    await stop.click()
    await expect(page.getByText('Erinnerungen und Einladungen wurden nicht abbestellt')).toBeVisible()
    await expect(page.getByText(/^Es besteht keine Verbindung zum Server\./)).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/api/public/unsubscribe/*')
    await stop.click()
    await expect(
      page.getByRole('heading', { name: 'Sie bekommen keine Erinnerungen und Einladungen mehr' }),
    ).toBeVisible()
    // Who was invited has registered nothing, and never had receipts.
    await expect(
      page.getByText(/^Haben Sie eine Adresse registriert, bekommen Sie Ablesebestätigungen weiterhin\./),
    ).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Andere E-Mails ansehen und ändern' }).click()
    await expect(page.getByText('Bestätigungen gehen an j***@example.org.')).toBeVisible()
    await expect(page.getByText(/^Sie haben die Erinnerungen abbestellt\./)).toBeVisible()
  })
})

test.describe('an old link', () => {
  test.use({ expectedErrors: [refusedWith(404)] })

  test('leads to a page that says so', async ({ page }) => {
    await page.goto('/registrierung/m/unbekannt?ref=zaehlwerk')
    await expect(page.getByRole('heading', { name: 'Dieser Link gilt nicht' })).toBeVisible()
    await expectAccessible(page)
    await page.goto('/registrierung/bestaetigen/unbekannt')
    await page.getByRole('button', { name: 'Adresse bestätigen' }).click()
    await expect(page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' })).toBeVisible()
    await expectAccessible(page)
    await page.goto('/abmelden/unbekannt')
    await page.getByRole('button', { name: 'Keine Erinnerungen und Einladungen mehr' }).click()
    await expect(page.getByRole('heading', { name: 'Dieser Link gilt nicht' })).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('who cannot be asked', () => {
  test.use({ expectedErrors: [refusedWith(503)] })

  test('is not mentioned', async ({ page }) => {
    const asked = page.waitForRequest(INFO)
    await page.route(INFO, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', json: { code: 'crm-unavailable' } }),
    )
    await page.goto(`/m/${letters.mehmet.token}`)
    await asked
    const answered = page.waitForResponse(INFO)
    await page.goto('/')
    await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
    await answered
    await expect(inBar(page)).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test.describe('a link that confirms no address any more', () => {
  test.use({ expectedErrors: [refusedWith(404)] })

  test('leads to the start', async ({ page }) => {
    await page.goto('/registrierung/bestaetigen/nichtvonuns0000000000000000')
    await page.getByRole('button', { name: 'Adresse bestätigen' }).click()
    await expect(page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Zurück zum Start' }).click()
    await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  })
})
