import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { day } from '../day.ts'
import { letters } from '../demo.ts'
import { expectKept, holdPhotos } from '../device.ts'
import { expect, expectAccessible, logIn, test } from '../portal.ts'

const photo = fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))

/** The tenant's choices about meters that have no job. */
const choose = (page: Page, choices: Record<string, boolean>) =>
  page.route('**/api/public/application', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'HEAD') return route.fulfill({ response })
    const settings = await response.json()
    return route.fulfill({ response, json: { ...settings, features: { ...settings.features, ...choices } } })
  })

/** The part of the counter before the comma. */
const value = (page: Page) => page.getByRole('textbox', { name: 'Zählerstand: Ziffern vor dem Komma' })

const send = (page: Page) => page.getByRole('button', { name: 'Zählerstand senden' })

test('a meter that is not in the list is read, with a photo', { tag: '@chromium' }, async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.anna)
  await page.getByRole('link', { name: 'Weiteren Zähler ablesen' }).click()
  await expect(page).toHaveTitle('Weiteren Zähler ablesen – Stadtwerke Birkenfurt')
  await expect(page.getByLabel('Zugang')).toHaveCount(0)

  await send(page).click()
  await expect(page.getByRole('alert')).toContainText('Bitte füllen Sie alle Pflichtfelder aus')
  await expect(page.getByLabel('Zählernummer')).toBeFocused()
  await expectAccessible(page)

  await page.getByLabel('Zählernummer').fill('1abc 77_01')
  await expect(page.getByLabel('Zählernummer')).toHaveValue('1ABC7701')
  // As in a job's form: what is too much is said while it is typed, and the comma leads on.
  await value(page).pressSequentially('1234567890')
  await expect(page.getByText('Mehr als 9 Stellen vor dem Komma sind nicht möglich.')).toBeVisible()
  await expect(value(page)).toHaveValue('123456789')
  await value(page).fill('')
  await value(page).pressSequentially('00123,450')
  await expect(page.getByRole('textbox', { name: 'Zählerstand: Ziffern nach dem Komma' })).toHaveValue('450')
  await page.locator('input[type=file][multiple]').setInputFiles(photo)
  await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)

  const sent = page.waitForRequest('**/api/pro/unknown-reading')
  await send(page).click()
  const request = await sent
  expect(request.postDataJSON()).toMatchObject({ meterNumber: '1ABC7701', readingValue: '00123.450' })
  expect(request.postDataJSON().readingImages).toHaveLength(1)
  expect(request.headers()['idempotency-key']).toMatch(/^[\da-f-]{36}$/)
  await expect(page.getByText('Zählerstand gesendet')).toBeVisible()
  await expect(page).toHaveURL('/ablesung')
})

test('nothing is sent before a photo that was picked is ready to go with it', { tag: '@chromium' }, async ({
  page,
}) => {
  const release = await holdPhotos(page)
  await page.goto('/ablesung')
  await logIn(page, letters.anna)
  await page.getByRole('link', { name: 'Weiteren Zähler ablesen' }).click()
  await page.getByLabel('Zählernummer').fill('1ABC7702')
  await value(page).fill('17')
  await expect(send(page)).toBeEnabled()
  await page.locator('input[type=file][multiple]').setInputFiles(photo)
  await expect(page.getByText('Foto wird vorbereitet …')).toBeVisible()
  await expect(send(page)).toBeDisabled()
  await release()
  await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  const sent = page.waitForRequest('**/api/pro/unknown-reading')
  await send(page).click()
  expect((await sent).postDataJSON().readingImages).toHaveLength(1)
  await expect(page.getByText('Zählerstand gesendet')).toBeVisible()
})

test('where a photo is required, nothing goes without one', async ({ page }) => {
  await choose(page, { unknownReadingsImageRequired: true })
  await page.goto('/ablesung/neu')
  await logIn(page, letters.anna)
  await page.getByLabel('Zählernummer').fill('1ABC7702')
  await value(page).fill('77')
  await send(page).click()
  await expect(page.getByText('Bitte fügen Sie mindestens ein Foto hinzu')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Foto hinzufügen' })).toBeFocused()
  await expectAccessible(page)
})

test('with several accounts the reader says for which one', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('link', { name: 'Weiteren Zugang anmelden' }).click()
  await logIn(page, letters.mehmet)
  await expect(page.getByText(letters.mehmet.name).first()).toBeAttached()
  await page.goto('/ablesung/neu')
  await page.getByLabel('Zählernummer').fill('1ABC7703')
  await value(page).fill('77')
  await send(page).click()
  await expect(page.getByLabel('Zugang')).toBeFocused()
  // In one turn, quicker than the draft changes hands.
  await page.getByLabel('Zugang').evaluate((field: HTMLSelectElement, name) => {
    field.value = [...field.options].find(({ text }) => text === name)?.value ?? ''
    field.dispatchEvent(new Event('change', { bubbles: true }))
    field.form?.requestSubmit()
  }, letters.mehmet.name)
  await expect(page.getByText('Zählerstand gesendet')).toBeVisible()
  // The draft went with what was sent.
  await page.goto('/ablesung/neu')
  await expect(page.getByLabel('Zählernummer')).toHaveValue('')
})

test.describe('when it cannot be sent', () => {
  test.use({ expectedErrors: [/status of (503|422)|net::ERR_INTERNET_DISCONNECTED/] })

  const panel = (page: Page) => page.getByRole('region', { name: 'Noch nicht gesendete Ablesungen' })
  const queued = (page: Page, number: string) =>
    page.getByRole('region', { name: `Zähler ${number}: bereits abgelesen` })

  async function enter(page: Page, number: string, digits: string) {
    await page.getByLabel('Zählernummer').fill(number)
    await value(page).fill(digits)
  }

  test('it waits on the device, and goes later under the same key', async ({ page }) => {
    const seen: (string | undefined)[] = []
    await page.route('**/api/pro/unknown-reading', (route) => {
      seen.push(route.request().headers()['idempotency-key'])
      return seen.length > 1
        ? route.continue()
        : route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            json: { code: 'temporarily-unavailable', status: 503 },
          })
    })
    // By itself the portal tries again after five seconds; here nothing goes before the button is pressed.
    await page.clock.setFixedTime(Date.now())
    await page.goto('/ablesung/neu')
    await logIn(page, letters.anna)
    await enter(page, '1ABC7704', '77')
    await send(page).click()
    await expect(page.getByText('Senden fehlgeschlagen')).toBeVisible()
    await expect(queued(page, '1ABC7704')).toBeVisible()
    await expect(page.getByLabel('Zählernummer')).toHaveValue('')
    await panel(page).getByRole('button', { name: 'Jetzt senden' }).click()
    await expect(queued(page, '1ABC7704')).toBeHidden()
    expect(new Set(seen).size).toBe(1)
    expect(seen).toHaveLength(2)
  })

  test('without a network it waits with its photo over a reload, can be changed, and goes when the network is back', {
    tag: '@chromium',
  }, async ({ page, context }) => {
    page.on('dialog', (question) => void question.accept())
    await page.goto('/ablesung/neu')
    await logIn(page, letters.anna)
    await enter(page, '1ABC7705', '77')
    await page.locator('input[type=file][multiple]').setInputFiles(photo)
    await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
    await context.setOffline(true)
    await send(page).click()
    await expect(page.getByRole('dialog', { name: 'Keine Internetverbindung' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(queued(page, '1ABC7705')).toContainText('1 Foto')
    await expectAccessible(page)

    await enter(page, '1ABC7706', '12')
    await expect(queued(page, '1ABC7705').getByRole('button', { name: 'Ändern' })).toBeDisabled()
    await send(page).click()
    await expect(panel(page)).toContainText('2 Ablesungen warten auf das Senden')

    // A tap into the empty form is no reading that would be in the way.
    await value(page).click()
    await page.getByRole('textbox', { name: 'Zählerstand: Ziffern nach dem Komma' }).click()
    await queued(page, '1ABC7705').getByRole('button', { name: 'Ändern' }).click()
    await expect(value(page)).toHaveValue('77')
    await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
    await value(page).fill('78')
    await send(page).click()
    await expect(panel(page)).toContainText('2 Ablesungen warten auf das Senden')

    const calls = /\/(api|auth)\//
    await page.route(calls, (route) => route.abort('internetdisconnected'))
    await context.setOffline(false)
    await page.reload()
    await expect(queued(page, '1ABC7705')).toBeVisible()
    const sent: unknown[] = []
    page.on('response', async (response) => {
      if (response.url().endsWith('/api/pro/unknown-reading'))
        sent.push([response.status(), response.request().postDataJSON()])
    })
    await page.unroute(calls)
    await panel(page).getByRole('button', { name: 'Jetzt senden' }).click()
    await expect(panel(page)).toBeHidden()
    expect(sent).toMatchObject([
      [201, { meterNumber: '1ABC7706', readingValue: '12', readingImages: [] }],
      [201, { meterNumber: '1ABC7705', readingValue: '78', readingImages: [{}] }],
    ])
  })

  test('what was typed outlives a reload with its day, and what the server refuses stays in the form', async ({
    page,
  }) => {
    const then = Date.now() - 3 * 86_400_000
    await page.clock.setFixedTime(then)
    // The portal's days are those of the server.
    const calls = /\/(api|auth)\//
    await page.route(calls, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), date: new Date(then).toUTCString() } })
    })
    await page.goto('/ablesung/neu')
    await logIn(page, letters.anna)
    await enter(page, '1ABC7707', '99')
    await expectKept(page, '"pre":"99"')
    await page.unroute(calls)
    await page.clock.setFixedTime(Date.now())
    await page.reload()
    await expect(page.getByLabel('Ablesedatum')).toHaveValue(day(-3))
    await expect(page.getByLabel('Zählernummer')).toHaveValue('1ABC7707')
    await page.route('**/api/pro/unknown-reading', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        json: {
          code: 'reading-invalid',
          status: 422,
          fieldErrors: [{ field: 'meterNumber', code: 'TOO_SHORT', limit: '9' }],
        },
      }),
    )
    await send(page).click()
    await expect(page.getByText('Mindestens 9 Zeichen')).toBeVisible()
    await expect(value(page)).toHaveValue('99')
    await expect(panel(page)).toBeHidden()
    await page.getByRole('button', { name: 'Abbrechen' }).click()
    await page.goto('/ablesung/neu')
    await expect(page.getByLabel('Zählernummer')).toHaveValue('')
  })
})

test('where the tenant does not allow it, the address leads to the list and says why', async ({ page }) => {
  await choose(page, { unknownReadingsAllowed: false })
  await page.goto('/ablesung/neu')
  await logIn(page, letters.anna)
  await expect(page).toHaveURL('/ablesung')
  await expect(page.getByText('Nicht erlaubt')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Weiteren Zähler ablesen' })).toHaveCount(0)
})
