import type { BrowserContext, Locator, Page, Route } from '@playwright/test'
import { customerWith } from '../customer.ts'
import { letters, meters } from '../demo.ts'
import { linkInMail, mailsTo, newAddress } from '../mails.ts'
import { expect, expectAccessible, logIn, refusedWith, test } from '../portal.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

/** Copies by this button and waits for the notice, which is there for two seconds only; returns what was copied. */
async function copy(page: Page, button: string): Promise<string> {
  const dialog = page.getByRole('dialog')
  const said = dialog.getByText('In die Zwischenablage kopiert').waitFor()
  await dialog.getByRole('button', { name: button }).click()
  await said
  return page.evaluate(() => navigator.clipboard.readText())
}

/** The same portal in a browser of another person. */
async function elsewhere(context: BrowserContext, baseURL: string | undefined): Promise<Page> {
  const other = await context.browser()?.newContext({ ...(baseURL && { baseURL }), locale: 'de-DE' })
  if (!other) throw new Error('no browser')
  return other.newPage()
}

/** The button that makes the share, and says of how many meters. */
const create = (within: Page | Locator) =>
  within.getByRole('button', { name: /^Zugang (für [\d.]+ Zähler )?erstellen$/ })

/** Shares what a search in the overview finds, and returns the link. */
async function shareFound(page: Page, search: string, name?: string): Promise<string> {
  await page.getByLabel('Zähler suchen').fill(search)
  await expect(page.getByText(/^\d+ Zähler gefunden$/)).toBeAttached()
  return shareAll(page, name)
}

/** Shares what the overview lists, and returns the link. */
async function shareAll(page: Page, name?: string): Promise<string> {
  await page.getByRole('button', { name: 'Teilen' }).click()
  const form = page.getByRole('dialog', { name: 'Zähler teilen' })
  await form.getByRole('button', { name: 'Alle auswählen' }).click()
  if (name) await form.getByLabel('Name des Zugangs').fill(name)
  await create(form).click()
  const outcome = page.getByRole('dialog', { name: /^Zugang „/ })
  const link = await copy(page, 'Link zum Anmelden kopieren')
  await outcome.getByRole('button', { name: 'Schließen' }).last().click()
  await expect(outcome).toBeHidden()
  return new URL(link).pathname
}

test('a manager shares what was searched, and the caretaker sees that and nothing else', { tag: '@firefox' }, async ({
  page,
  context,
  baseURL,
}) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await page.getByLabel('Zähler suchen').fill('schulstraße 5')
  const found = page.getByText(/^\d+ Zähler gefunden$/)
  await expect(found).toBeAttached()
  const count = Number.parseInt(await found.innerText(), 10)
  await page.getByRole('button', { name: 'Teilen' }).click()

  const form = page.getByRole('dialog', { name: 'Zähler teilen' })
  // No meter is shared by mistake: none is chosen at first.
  await expect(form.getByText('0 Zähler ausgewählt – ändern')).toBeVisible()
  await expect(create(form)).toBeDisabled()
  await form.getByRole('button', { name: 'Alle auswählen' }).click()
  await expect(form.getByLabel('Name des Zugangs')).toHaveValue(/^Zähler \S+ u\.a\.$/)
  await expect(form.getByText(`${count} Zähler ausgewählt – ändern`)).toBeVisible()
  await expect(create(form)).toHaveText(`Zugang für ${count} Zähler erstellen`)
  await expectAccessible(page)
  await form.getByLabel('Name des Zugangs').fill(' ')
  await expect(form.getByText('Bitte geben Sie dem Zugang einen Namen.')).toBeVisible()
  await expect(create(form)).toBeDisabled()
  await form.getByLabel('Name des Zugangs').fill('Hausmeisterin Schule')
  await create(form).click()

  // The login data are shown this once: nothing closes the dialog before they are handed over.
  const outcome = page.getByRole('dialog', { name: 'Zugang „Hausmeisterin Schule“' })
  const close = outcome.getByRole('button', { name: 'Schließen' }).last()
  await expect(close).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(outcome).toBeVisible()
  await expectAccessible(page)
  const link = new URL(await copy(page, 'Link zum Anmelden kopieren'))
  await expect(outcome.getByText('In die Zwischenablage kopiert')).toBeHidden()
  await close.click()
  await expect(outcome).toBeHidden()

  const caretaker = await elsewhere(context, baseURL)
  await caretaker.goto(link.pathname)
  await expect(caretaker.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
  await caretaker.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await expect(caretaker.getByText(`0 von ${count} abgelesen`)).toBeVisible()
  // Nothing may be shared on, so that there is neither a button nor a management.
  await expect(caretaker.getByRole('button', { name: 'Teilen' })).toHaveCount(0)
  await expect(caretaker.getByRole('link', { name: 'Freigaben' })).toHaveCount(0)
  // New login data are not the utility's to give.
  await caretaker.getByRole('button', { name: 'Benutzermenü' }).click()
  await caretaker.getByRole('link', { name: 'Geräte' }).click()
  // The button is where it stays once the list above it has come.
  await expect(caretaker.locator('.devices__device').first()).toBeVisible()
  await caretaker.getByRole('button', { name: 'Überall abmelden' }).click()
  await expect(caretaker.getByRole('dialog')).toContainText(
    'bitten Sie die Person, die Ihnen den Zugang gegeben hat, um neue.',
  )
  await caretaker.context().close()
})

test('the management lists the shares, takes a meter back, gives new login data and ends a share', async ({
  page,
  context,
  baseURL,
}) => {
  await page.goto('/')
  await logIn(page, letters.manager)
  await page.getByRole('link', { name: 'Freigaben' }).first().click()
  // There is one account: its shares are opened at once.
  await expect(page).toHaveURL('/management/account/k-20001')
  await page.getByRole('button', { name: 'Teilen' }).click()
  const form = page.getByRole('dialog', { name: 'Zähler teilen' })
  await expect(form.getByText('Bitte wählen Sie mindestens einen Zähler aus.')).toBeVisible()
  await form.getByLabel('Zähler suchen').fill('gibt es nicht')
  await expect(form.getByText('Kein Zähler gefunden')).toBeVisible()
  await form.getByLabel('Zähler suchen').fill('birkenallee 31')
  await form.getByRole('checkbox').nth(1).check()
  await expect(form.getByLabel('Name des Zugangs')).toHaveValue(/^Zähler \S+$/)
  await form.getByRole('checkbox').nth(2).check()
  await form.getByLabel('Name des Zugangs').fill('Hausmeister Birkenallee')
  await expectAccessible(page)
  await create(form).click()

  const outcome = page.getByRole('dialog', { name: 'Zugang „Hausmeister Birkenallee“' })
  await outcome.getByRole('radio', { name: 'Benutzername und Passwort' }).check()
  await expect(outcome.getByRole('img', { name: 'QR-Code des direkten Links' })).toBeVisible()
  await expect(outcome.getByLabel('Adresse des Portals', { exact: true })).not.toHaveValue('')
  await expectAccessible(page)
  const login = {
    username: await outcome.getByLabel('Benutzername', { exact: true }).inputValue(),
    password: await outcome.getByLabel('Passwort', { exact: true }).inputValue(),
  }
  await outcome.getByRole('button', { name: 'Adresse des Portals kopieren' }).click()
  await expect(outcome.getByRole('button', { name: 'Schließen' }).last()).toBeDisabled()
  await outcome.getByRole('button', { name: 'Passwort kopieren' }).click()
  await outcome.getByRole('button', { name: 'Schließen' }).last().click()

  const caretaker = await elsewhere(context, baseURL)
  await caretaker.goto('/')
  await logIn(caretaker, login)
  await expect(caretaker.getByText('0 von 2 abgelesen')).toBeVisible()

  await page.getByRole('link', { name: /^Hausmeister Birkenallee/ }).click()
  const detail = page.getByRole('region', { name: 'Hausmeister Birkenallee' })
  await expect(detail.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await detail
    .getByRole('button', { name: /aus der Freigabe entfernen$/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click()
  await expect(detail.getByRole('listitem')).toHaveCount(1)
  await expect(detail.getByRole('heading', { name: '1 Zähler' })).toBeFocused()
  await caretaker.reload()
  await expect(caretaker.getByText('0 von 1 abgelesen')).toBeVisible()

  await detail.getByRole('button', { name: 'Neue Zugangsdaten' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    'bekommt einen neuen Link, einen neuen Benutzernamen und ein neues Passwort. Die bisherigen gelten dann nicht mehr.',
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Neue Zugangsdaten erstellen' }).click()
  await outcome.getByRole('button', { name: 'Link zum Anmelden kopieren' }).click()
  await outcome.getByRole('button', { name: 'Schließen' }).last().click()

  await detail.getByRole('button', { name: 'Freigabe löschen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Löschen', exact: true }).click()
  await expect(page).toHaveURL('/management/account/k-20001')
  await expect(page.getByRole('link', { name: /^Hausmeister Birkenallee/ })).toHaveCount(0)
  await caretaker.context().close()
})

test('a link to what one has shared oneself leads to the share', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  const link = await shareFound(page, 'bahnhofstraße', 'Hausmeister Bahnhof')
  await page.goto(link)
  await expect(page).toHaveURL(/\/management\/account\/k-20001\/[^/]+$/)
  await expect(page.getByRole('heading', { name: 'Hausmeister Bahnhof' })).toBeVisible()
  // Its own page says where its meters are.
  await page
    .getByRole('navigation', { name: 'Ihre Zugänge' })
    .getByRole('link', { name: 'Hausmeister Bahnhof' })
    .click()
  await expect(page.getByText(`stehen unter „${letters.manager.name}“`)).toBeVisible()
  await expect(page.getByText(/können nicht geteilt werden|Wählen Sie links/)).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Freigabe ansehen' }).click()
  await expect(page.getByRole('heading', { name: 'Hausmeister Bahnhof' })).toBeVisible()
  // The meters that both accounts see are there once.
  await page.getByRole('link', { name: 'Ablesung' }).first().click()
  await expect(page.getByText(/^\d+ von 250 abgelesen$/)).toBeVisible()
})

test('who shares with a meter open begins with that one', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  const row = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link').nth(2)
  const number = await row.locator('strong').innerText()
  await row.click()
  // Also when the search has found others.
  await page.getByLabel('Zähler suchen').fill('schulstraße 5')
  await expect(page.getByText(/^\d+ Zähler gefunden$/)).toBeAttached()
  await page.getByRole('button', { name: 'Teilen' }).click()
  const form = page.getByRole('dialog', { name: 'Zähler teilen' })
  await expect(form.getByLabel('Name des Zugangs')).toHaveValue(`Zähler ${number}`)
  await expect(create(form)).toHaveText('Zugang für 1 Zähler erstellen')
})

test('more than 999 meters are too many', async ({ page }) => {
  await page.route(/\/api\/pro\/job\?/, async (route) => {
    const answer = await route.fetch()
    const { jobs } = (await answer.json()) as { jobs: { id: string }[] }
    const many = Array.from({ length: 1000 }, (_, index) => ({ ...jobs[index % jobs.length], id: `copy-${index}` }))
    await route.fulfill({ response: answer, json: { jobs: many } })
  })
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await page.getByRole('button', { name: 'Teilen' }).click()
  const form = page.getByRole('dialog', { name: 'Zähler teilen' })
  await form.getByRole('button', { name: 'Alle auswählen' }).click()
  await expect(form.getByText('Es können höchstens 999 Zähler geteilt werden.')).toBeVisible()
  await expect(create(form)).toBeDisabled()
  await form.getByRole('checkbox').nth(1).uncheck()
  await expect(create(form)).toBeEnabled()
})

test.describe('when the server refuses', () => {
  test.use({ expectedErrors: [/status of (422|429|500)/] })

  test('a message says why, with the faults that it names', async ({ page }) => {
    await page.goto('/ablesung')
    await logIn(page, letters.anna)
    const fault = { field: 'jobIds[0]', code: 'JOB_NOT_SHAREABLE', message: 'Nicht teilbar' }
    const answers = [
      {
        status: 422,
        contentType: 'application/problem+json',
        json: { code: 'share-invalid', fieldErrors: [fault, { ...fault, field: 'jobIds[1]' }] },
      },
      { status: 500, contentType: 'application/problem+json', json: { code: 'internal-error' } },
      {
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '120' },
        json: { code: 'too-many-attempts' },
      },
    ]
    await page.route('**/api/pro/share/job', (route) => route.fulfill(answers.shift() ?? {}))
    await page.getByRole('button', { name: 'Teilen' }).click()
    await page.getByRole('button', { name: 'Alle auswählen' }).click()
    await create(page).click()
    const toast = page.getByRole('alert')
    await expect(toast).toContainText('Zugang nicht erstellt')
    await expect(toast).toContainText('Die Zähler konnten nicht geteilt werden, Ein Zähler darf nicht geteilt werden.')
    await create(page).click()
    await expect(toast).toContainText('Fehler: Zugang erstellen')
    await expect(toast).toContainText('Der Zugang konnte nicht erstellt werden. Bitte versuchen Sie es später erneut.')
    await create(page).click()
    await expect(toast).toContainText(
      'In dieser Stunde wurden schon sehr viele Zugänge erstellt. In 2 Minuten geht es weiter.',
    )
  })
})

test.describe('when something does not come', () => {
  test.use({ expectedErrors: [/ERR_FAILED|status of 503/] })

  test('sharing says that it needs the network, and the list stays', async ({ page }) => {
    const file = /\/assets\/sharing-[^/]*\.(?:js|css)$/
    await page.route(file, (route) => route.abort())
    await page.goto('/ablesung')
    await logIn(page, letters.anna)
    const share = page.getByRole('button', { name: 'Teilen' })
    await share.click()
    const notice = page.getByRole('alert').filter({ hasText: 'Das hat nicht geklappt' })
    await expect(notice).toContainText('Dafür braucht das Portal eine Internetverbindung.')
    await expect(page.getByRole('navigation', { name: 'Zähler' })).toBeVisible()
    const area = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click()
    await area('Auswertung')
    await expect(page).toHaveTitle(/^Auswertung/)
    await area('Ablesung')
    await page.unroute(file)
    // What did not come counts as missing for a second.
    await expect(async () => {
      await share.click()
      await expect(page.getByRole('dialog', { name: 'Zähler teilen' })).toBeVisible({ timeout: 500 })
    }).toPass()
    const styles = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ''))
    expect(styles.filter((style) => style.includes('/assets/sharing-'))).toHaveLength(1)
  })

  test('new login data are shown though their answer was lost', { tag: '@chromium' }, async ({ page }, info) => {
    const customer = await customerWith(info, meters.solar.id)
    await page.goto('/ablesung')
    await logIn(page, customer)
    await shareAll(page, 'Hausmeisterin')
    await page.getByRole('link', { name: 'Freigaben' }).first().click()
    await page.getByRole('link', { name: /^Hausmeisterin/ }).click()
    const keys: (string | undefined)[] = []
    await page.route('**/api/pro/share/account/*/login?*', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Neue Zugangsdaten' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Neue Zugangsdaten erstellen' }).click()
    const outcome = page.getByRole('dialog', { name: 'Zugang „Hausmeisterin“' })
    await expect(outcome.getByRole('button', { name: 'Link zum Anmelden kopieren' })).toBeVisible()
    expect(keys).toEqual([keys[0], keys[0]])
  })

  test(
    'a share whose answer was lost is one, and its login data are shown',
    { tag: '@chromium' },
    async ({ page }, info) => {
      const customer = await customerWith(info, meters.solar.id)
      await page.goto('/ablesung')
      await logIn(page, customer)
      const keys: (string | undefined)[] = []
      await page.route('**/api/pro/share/job', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        if (keys.length > 2) return route.continue()
        if (keys.length === 1) await route.fetch()
        return route.abort()
      })
      await page.getByRole('button', { name: 'Teilen' }).click()
      const form = page.getByRole('dialog', { name: 'Zähler teilen' })
      await form.getByRole('button', { name: 'Alle auswählen' }).click()
      await form.getByLabel('Name des Zugangs').fill('Hausmeister')
      await create(form).click()
      await expect(page.getByRole('alert').filter({ hasText: 'Fehler: Zugang erstellen' })).toContainText(
        'Vielleicht ist der Zugang trotzdem entstanden: Drücken Sie die Schaltfläche hier noch einmal',
      )
      // The notice leaves the button free that it speaks of, on the smallest screen, too.
      await page.setViewportSize({ width: 320, height: 568 })
      await form.evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight))
      const isFree = create(form).evaluate((button) => {
        const { left, top, width, height } = button.getBoundingClientRect()
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      })
      expect(await isFree).toBe(true)
      await create(form).click()
      const outcome = page.getByRole('dialog', { name: 'Zugang „Hausmeister“' })
      await expect(outcome).toBeVisible()
      await expect(page.getByRole('alert').filter({ hasText: 'Fehler' })).toBeHidden({ timeout: 1000 })
      await page.setViewportSize({ width: 1280, height: 720 })
      await copy(page, 'Link zum Anmelden kopieren')
      await outcome.getByRole('button', { name: 'Schließen' }).last().click()
      expect(keys).toEqual([keys[0], keys[0], keys[0]])
      await page.getByRole('link', { name: 'Freigaben' }).first().click()
      await expect(page.getByRole('link', { name: /^Hausmeister/ })).toHaveCount(1)
    },
  )

  test('a share whose list could not be had is not said to be deleted', async ({ page }) => {
    await page.route('**/api/pro/share/account', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { code: 'temporarily-unavailable' },
      }),
    )
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/management/account/k-20001/share')
    await logIn(page, letters.manager)
    await expect(page.getByRole('heading', { name: 'Aktualisierung fehlgeschlagen' })).toBeVisible()
    await expect(page.getByText('Diese Freigabe gibt es nicht')).toHaveCount(0)
    await page.unroute('**/api/pro/share/account')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Diese Freigabe gibt es nicht' })).toBeVisible()
  })
})

// D-SHARES-10, D-SHARES-11
test('a manager sees what was shared on, ends one of it, and all of it with new login data', async ({
  page,
  context,
  baseURL,
}) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await page.getByLabel('Zähler suchen').fill('schulstraße 9')
  await expect(page.getByText(/^\d+ Zähler gefunden$/)).toBeAttached()
  await page.getByRole('button', { name: 'Teilen' }).click()
  await page.getByText('Weiterteilen erlauben').click()
  await page.getByLabel('Name des Zugangs').fill('Verwalterin Schule')
  await page.getByRole('button', { name: 'Alle auswählen' }).click()
  await create(page).click()
  const link = new URL(await copy(page, 'Link zum Anmelden kopieren')).pathname
  await page.getByRole('dialog').getByRole('button', { name: 'Schließen' }).last().click()

  const below = await elsewhere(context, baseURL)
  await below.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await below.goto(link)
  await below.getByRole('link', { name: 'Jetzt ablesen' }).click()
  const lowest = await elsewhere(context, baseURL)
  await shareFound(below, 'schulstraße 9', 'Vertretung')
  await lowest.goto(await shareFound(below, 'schulstraße 9', 'Aushilfe'))
  await lowest.getByRole('link', { name: 'Jetzt ablesen' }).click()

  await page.getByRole('link', { name: 'Freigaben' }).first().click()
  await page.getByRole('link', { name: /^Verwalterin Schule/ }).click()
  const detail = page.getByRole('region', { name: 'Verwalterin Schule' })
  await expect(detail.getByText('Weitergeteilt: 2 Freigaben')).toBeVisible()
  await expectAccessible(page)
  await detail.getByRole('button', { name: 'Freigabe „Vertretung“ löschen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Löschen', exact: true }).click()
  await expect(detail.getByText('Weitergeteilt: 1 Freigabe', { exact: true })).toBeVisible()

  await detail.getByRole('button', { name: 'Neue Zugangsdaten' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Von dort wurde einmal weitergeteilt.')
  await question.getByText('Auch alles beenden, was von dort weitergeteilt wurde').click()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Neue Zugangsdaten erstellen' }).click()
  await copy(page, 'Link zum Anmelden kopieren')
  await page.getByRole('dialog').getByRole('button', { name: 'Schließen' }).last().click()
  await expect(detail.getByText('Nichts weitergeteilt')).toBeVisible()
  for (const ended of [below, lowest]) {
    await ended.reload()
    await expect(ended.getByText('Zugang abgelaufen').first()).toBeVisible()
    await ended.context().close()
  }
})

test.describe('with what somebody else has ended meanwhile', () => {
  test.use({ expectedErrors: [refusedWith(404)] })

  /** Another request asks for the same, and is first. */
  const second = async (route: Route): Promise<void> => {
    await route.fetch({ headers: { ...route.request().headers(), 'idempotency-key': 'somebody-else' } })
    await route.continue()
  }

  test('a meter and a share that are ended once more are gone', async ({ page }, info) => {
    const customer = await customerWith(info, meters.solar.id)
    await page.goto('/ablesung')
    await logIn(page, customer)
    await shareAll(page, 'Hausmeisterin')
    await page.getByRole('link', { name: 'Freigaben' }).first().click()
    await page.getByRole('link', { name: /^Hausmeisterin/ }).click()
    const detail = page.getByRole('region', { name: 'Hausmeisterin' })
    await expect(detail.getByRole('listitem')).toHaveCount(2)
    await page.route('**/api/pro/share/account/**', second)
    await detail
      .getByRole('button', { name: /aus der Freigabe entfernen$/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click()
    await expect(detail.getByRole('listitem')).toHaveCount(1)
    await detail.getByRole('button', { name: 'Freigabe löschen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen', exact: true }).click()
    await expect(page).toHaveURL(/\/management\/account\/[^/]+$/)
    await expect(page.getByText('„Hausmeisterin“ wurde gelöscht')).toBeVisible()
    await expect(page.getByRole('link', { name: /^Hausmeisterin/ })).toHaveCount(0)
  })
})

test('many shares are searched by name, and come page by page', async ({ page }) => {
  const share = (index: number) => ({
    id: `s${index}`,
    name: `Haus ${index}`,
    allowToReShare: false,
    jobIds: [],
    username: `u${index}`,
    hasToken: true,
    created: `2026-11-01T00:00:${String(index).padStart(2, '0')}Z`,
  })
  await page.route(/\/api\/pro\/share\/account(\?|$)/, (route) => {
    const isSecond = new URL(route.request().url()).searchParams.get('cursor') === 's9'
    const sharedAccounts = Array.from({ length: 10 }, (_, index) => share(isSecond ? index + 10 : index))
    return route.fulfill({ json: { sharedAccounts, nextCursor: isSecond ? null : 's9' } })
  })
  await page.goto('/management')
  await logIn(page, letters.manager)
  const links = page.getByRole('link', { name: /^Haus / })
  await expect(links).toHaveCount(20)
  await page.getByLabel('Freigaben suchen').fill('haus 17')
  await expect(links).toHaveCount(1)
  await page.getByLabel('Freigaben suchen').fill('hof')
  await expect(page.getByText('Keine Freigabe heißt so.')).toBeVisible()
  await expectAccessible(page)
})

// D-SHARES-5
test('who came by a link may share on where that was allowed, and takes nothing away', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await page.getByLabel('Zähler suchen').fill('furtufer 8')
  await expect(page.getByText(/^\d+ Zähler gefunden$/)).toBeAttached()
  await page.getByRole('button', { name: 'Teilen' }).click()
  await page.getByRole('button', { name: 'Alle auswählen' }).click()
  await page.getByText('Weiterteilen erlauben').click()
  await page.getByLabel('Name des Zugangs').fill('Verwalter Furtufer')
  await create(page).click()
  const link = new URL(await copy(page, 'Link zum Anmelden kopieren')).pathname
  await page.getByRole('dialog').getByRole('button', { name: 'Schließen' }).last().click()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()

  await page.goto(link)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await shareFound(page, 'furtufer', 'Vertretung')
  await page.getByRole('link', { name: 'Freigaben' }).first().click()
  await page.getByRole('link', { name: /^Vertretung/ }).click()
  const detail = page.getByRole('region', { name: 'Vertretung' })
  await expect(detail.getByRole('listitem').first()).toBeVisible()
  await expect(detail.getByRole('button', { name: 'Neue Zugangsdaten' })).toHaveCount(0)
  await expect(detail.getByRole('button', { name: 'Freigabe löschen' })).toHaveCount(0)
  await expect(detail.getByRole('button', { name: /entfernen$/ })).toHaveCount(0)
})

test('who has nothing to share is not asked to share', async ({ page }) => {
  await page.goto('/management')
  await logIn(page, letters.mehmet)
  await expect(page.getByText('Die Zähler dieses Zugangs können nicht geteilt werden.')).toBeVisible()
  await expect(page.getByText('Noch nichts geteilt.')).toHaveCount(0)
  await expect(page.getByText(/^Wähle links/)).toHaveCount(0)
})

/** The dialog with the login data of a new share of this search. */
async function shareBy(page: Page, search: string, name: string) {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await page.getByLabel('Zähler suchen').fill(search)
  await expect(page.getByText(/^\d+ Zähler gefunden$/)).toBeAttached()
  await page.getByRole('button', { name: 'Teilen' }).click()
  await page.getByRole('button', { name: 'Alle auswählen' }).click()
  await page.getByLabel('Name des Zugangs').fill(name)
  await create(page).click()
  return page.getByRole('dialog', { name: `Zugang „${name}“` })
}

for (const width of [390, 320]) {
  test(`${width} px wide, neither a long name without a blank nor the login data are cut off`, {
    tag: '@firefox',
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    const outcome = await shareBy(page, 'schulstraße 5', 'Hausmeisterei'.repeat(6))
    await expect(outcome).toBeVisible()
    const isTooWide = () => outcome.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
    await expect.poll(isTooWide).toBeLessThanOrEqual(0)
    for (const way of ['Benutzername', 'E-Mail']) {
      await outcome.getByRole('radio', { name: way }).check()
      await expect.poll(isTooWide).toBeLessThanOrEqual(0)
    }
  })
}

test('in a window that gets narrower, the page of a share does so, too', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 844 })
  const name = 'Gedrehtes Telefon'
  const outcome = await shareBy(page, 'schulstraße 5', name)
  await outcome.getByRole('textbox').first().press('Control+c')
  await outcome.getByRole('button', { name: 'Schließen' }).last().click()
  await page.goto('/management/account/k-20001')
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(tooWide).toBeLessThanOrEqual(0)
})

test.describe('by e-mail', () => {
  test.use({ expectedErrors: [/status of (422|429)/] })

  test('each recipient gets one mail, and a retry goes to those who got none', { tag: '@chromium' }, async ({
    page,
    context,
    baseURL,
  }) => {
    const outcome = await shareBy(page, 'schulstraße 7', 'Per E-Mail')
    await outcome.getByRole('radio', { name: 'E-Mail' }).check()
    const send = outcome.getByRole('button', { name: /senden$/ })
    const field = outcome.getByLabel('E-Mail-Adressen')
    await expect(outcome.getByLabel('Anrede')).toHaveValue('Sehr geehrte Damen und Herren,')
    await expect(send).toBeDisabled()
    await expect(outcome.getByText('Bitte geben Sie mindestens eine E-Mail-Adresse an.')).toBeVisible()
    await field.pressSequentially('uwe@ ulla@example.org')
    // There is no message for each letter of an address that is still being typed.
    await expect(outcome.getByText('Bitte prüfen Sie: uwe@')).toBeHidden()
    await field.press('Tab')
    await expect(outcome.getByText('Bitte prüfen Sie: uwe@')).toBeVisible()
    await expect(send).toBeDisabled()
    await expectAccessible(page)

    // D-MAILS-13
    await outcome.getByLabel('Anrede').fill('Rufen Sie an: 0900 123')
    await expect(outcome.getByText('Die Anrede besteht aus Wörtern')).toBeVisible()
    await outcome.getByLabel('Anrede').fill('x'.repeat(61))
    await expect(outcome.getByText('Die Anrede hat höchstens 60 Zeichen.')).toBeVisible()
    await expect(send).toBeDisabled()
    await expectAccessible(page)
    await outcome.getByLabel('Anrede').fill('Sehr geehrte Damen und Herren,')

    const [first, second, third] = [newAddress(), newAddress(), newAddress()]
    const bodies: string[] = []
    const keys = new Map<string, Set<string | undefined>>()
    let isRefusing = true
    await page.route('**/api/communication/email/share/account', async (route) => {
      const { email } = route.request().postDataJSON().metaData.mailTo as { email: string }
      bodies.push(email)
      keys.set(email, (keys.get(email) ?? new Set()).add(route.request().headers()['idempotency-key']))
      if (email !== second || !isRefusing) return route.continue()
      return route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        json: { code: 'recipient-suppressed' },
      })
    })
    await field.fill(`${first} ${second}, ${third}; ${first.toUpperCase()}`)
    await expect(outcome.getByRole('button', { name: 'Schließen' }).last()).toBeDisabled()
    await outcome.getByRole('button', { name: '3 E-Mails senden' }).click()
    await expect(outcome.getByText('E-Mail konnte nicht versandt werden')).toBeVisible()
    await expect(outcome.getByText(/^An diese Adresse senden wir nichts mehr/)).toBeVisible()
    await expect(outcome.getByText('2 E-Mails versandt')).toBeVisible()
    await expect(outcome.getByRole('list', { name: 'Versandt an' }).getByRole('listitem')).toHaveText([first, third])
    // What is left to do stays in the field, and who sent something may close the dialog.
    await expect(field).toHaveValue(second)
    await expect(outcome.getByRole('button', { name: 'Schließen' }).last()).toBeEnabled()
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath('share-mail.png') })

    isRefusing = false
    await field.fill(`${second} ${first}`)
    await outcome.getByRole('button', { name: 'E-Mail senden' }).click()
    await expect(outcome.getByText('3 E-Mails versandt')).toBeVisible()
    await expect(outcome.getByText('E-Mail konnte nicht versandt werden')).toHaveCount(0)
    expect(bodies).toEqual([first, second, third, second])
    // Had the first attempt arrived after all, it would have been the same mail.
    expect(keys.get(second)?.size).toBe(1)
    for (const address of [first, second, third]) expect(await mailsTo(address)).toHaveLength(1)

    const caretaker = await elsewhere(context, baseURL)
    const [mail] = await mailsTo(second)
    expect(mail?.BodyText).toMatch(
      /^Die nächste Zeile stammt von der Person, [^:]*:\s+Sehr geehrte Damen und Herren,\s/,
    )
    await caretaker.goto(await linkInMail(second, 1, '/m/'))
    await expect(caretaker.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
    await caretaker.context().close()
  })

  test('who has written to too many asks for nobody else', async ({ page }) => {
    const outcome = await shareBy(page, 'mühlgasse 11', 'Zu viele')
    await outcome.getByRole('radio', { name: 'E-Mail' }).check()
    let calls = 0
    await page.route('**/api/communication/email/share/account', (route) => {
      calls += 1
      return route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '3600' },
        json: { code: 'too-many-recipients' },
      })
    })
    await outcome.getByLabel('E-Mail-Adressen').fill('a@example.org b@example.org c@example.org')
    await outcome.getByRole('button', { name: '3 E-Mails senden' }).click()
    await expect(outcome.getByText(/^Es wurden in kurzer Zeit sehr viele E-Mails versandt/)).toHaveCount(3)
    expect(calls).toBe(1)
    await expect(outcome.getByLabel('E-Mail-Adressen')).toHaveValue('a@example.org\nb@example.org\nc@example.org')
    await expect(outcome.getByRole('button', { name: 'Schließen' }).last()).toBeDisabled()
    // The other ways are still there, and so is what was typed.
    await outcome.getByRole('radio', { name: 'Link' }).check()
    await outcome.getByRole('radio', { name: 'E-Mail' }).check()
    await expect(outcome.getByLabel('E-Mail-Adressen')).toHaveValue(/^a@/)
  })
})

test('where mails are switched off there are two ways', async ({ page }) => {
  await page.route('**/api/public/application', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const application = await response.json()
    application.features.emailSharingEnabled = false
    await route.fulfill({ response, json: application })
  })
  const outcome = await shareBy(page, 'lindenweg 2', 'Ohne E-Mail')
  await expect(outcome.getByRole('radio')).toHaveCount(2)
  await expect(outcome.getByRole('button', { name: 'Link zum Anmelden kopieren' })).toBeVisible()
  await expect(outcome.getByText(/^Kopieren Sie zuerst einen Zugang:/)).toBeVisible()
})
