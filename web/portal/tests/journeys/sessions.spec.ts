import type { Page } from '@playwright/test'
import { type Customer, customerWith } from '../customer.ts'
import { day, setClockWrong } from '../day.ts'
import { letters, meters } from '../demo.ts'
import { expectKept } from '../device.ts'
import { expect, expectAccessibleInAllLanguages, follow, logIn, refusedWith, test } from '../portal.ts'
import { comeBackWithoutSessions, endSessions } from '../sessions.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile Safari/604.1'

async function enter(page: Page, customer: Customer): Promise<void> {
  await page.goto('/')
  await logIn(page, customer)
  await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
}

for (const hours of [-10, -0.25, 0, 0.25, 10])
  test(`with a clock that is wrong by ${hours} hours a tab asks for one token`, async ({ page }) => {
    await setClockWrong(page, hours)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/token')) asked += 1
    })
    await page.goto(`/m/${letters.anna.token}`)
    await expect(page.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
    await page.getByRole('link', { name: 'Ablesung' }).first().click()
    await expect(page.getByRole('navigation', { name: 'Zähler' })).toBeVisible()
    await page.getByRole('link', { name: 'Start' }).first().click()
    await expect(page.getByRole('heading', { name: 'Ihr Zugang' })).toBeVisible()
    expect(asked).toBe(1)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Ihr Zugang' })).toBeVisible()
    await page.getByRole('link', { name: 'Ablesung' }).first().click()
    await expect(page.getByRole('navigation', { name: 'Zähler' })).toBeVisible()
    expect(asked).toBe(2)
  })

test.describe('with an answer that is lost', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED|status of 404/] })

  test(
    'a device that was logged out all the same leaves the list',
    { tag: '@chromium' },
    async ({ page, browser, baseURL }, info) => {
      const customer = await customerWith(info, '10523-strom')
      const phone = await browser.newPage({ baseURL: baseURL ?? '', userAgent: IPHONE })
      await enter(phone, customer)
      await phone.close()
      await enter(page, customer)
      await follow(page, '/geraete')
      const devices = page.getByRole('main').getByRole('listitem')
      await expect(devices).toHaveCount(2)
      let isCut = true
      await page.route(/\/api\/pro\/session(?:\/|$)/, async (route) => {
        if (!isCut) return route.continue()
        if (route.request().method() === 'DELETE') await route.fetch()
        return route.abort()
      })
      const end = page.getByRole('button', { name: /^Abmelden: iPhone/ })
      await end.click()
      await expect(page.getByText('Abmelden fehlgeschlagen')).toBeVisible()
      isCut = false
      await end.click()
      await expect(page.getByText('Abgemeldet: iPhone')).toBeVisible()
      await expect(devices).toHaveCount(1)
    },
  )

  test('nobody is logged out', { tag: '@chromium' }, async ({ page }) => {
    await page.goto(`/m/${letters.anna.token}`)
    await expect(page.getByRole('heading', { name: 'Schön, dass Sie da sind' })).toBeVisible()
    let lost = 0
    await page.route('**/auth/token', async (route) => {
      await route.fetch()
      lost += 1
      await route.abort()
    })
    for (let reloads = 0; reloads < 3; reloads += 1) {
      const before = lost
      await page.reload()
      // Each part of the screen that needs a token asks once more.
      await expect.poll(() => lost).toBeGreaterThan(before)
    }
    await page.unroute('**/auth/token')
    const renewed = page.waitForResponse('**/auth/token')
    await page.reload()
    expect((await renewed).status()).toBe(200)
    await page.getByRole('link', { name: 'Start' }).first().click()
    await expect(page.getByRole('main').getByText(letters.anna.name)).toBeVisible()
  })
})

// D-READING-29
test('with a clock that is wrong by weeks a meter is read on the day that it is', async ({ page }) => {
  await setClockWrong(page, 40 * 24)
  await page.goto(`/m/${letters.mehmet.token}`)
  await expect(page).toHaveURL('/introduction')
  await follow(page, `/ablesung/${meters.due.id}`)
  await expect(page.getByLabel('Ablesedatum')).toHaveValue(day())
})

test('who comes back to a page whose login has ended meanwhile finds what was typed', async ({ page }, info) => {
  const customer = await customerWith(info, '10523-strom')
  await enter(page, customer)
  await page.getByRole('link', { name: 'Ablesung' }).first().click()
  await page.getByRole('link', { name: new RegExp(customer.number) }).click()
  const value = page.getByRole('textbox', { name: /^Zählerstand/ }).first()
  await value.pressSequentially('123')
  await expectKept(page, '"pre":"123"')
  const { pathname } = new URL(page.url())
  await comeBackWithoutSessions(page)
  await expect(page.getByLabel('Benutzername')).toBeVisible()
  await expect(page).toHaveURL(pathname)
  await logIn(page, customer)
  await expect(value).toHaveValue('123')
})

test.describe('with a login that has ended', () => {
  test.use({ expectedErrors: [refusedWith(401)] })

  test('whoever opens the portal reads so', async ({ page, request }, info) => {
    await enter(page, await customerWith(info, '10523-strom'))
    await endSessions(page, request)
    await page.reload()
    await expect(page.getByText('Zugang abgelaufen')).toBeVisible()
    await expect(page.getByText('Der Zugang „Anna Sommer“ ist nicht mehr gültig und wurde entfernt.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
    await expect(page.getByText('Zugang abgelaufen')).toBeVisible()
  })

  test('of several, the others stay', async ({ page, request }, info) => {
    await enter(page, await customerWith(info, '10523-strom'))
    await endSessions(page, request)
    await page.goto(`/m/${letters.mehmet.token}`)
    await expect(page.getByText('Zugang abgelaufen')).toBeVisible()
    await page.getByRole('button', { name: 'Benutzermenü' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: letters.mehmet.name })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Anna Sommer' })).toHaveCount(0)
  })

  for (const [when, refreshMs, loginMs] of [
    ['before', 0, 0],
    ['after', 2000, 3000],
  ] as const)
    test(`that is known ${when} there is a screen, who comes back by link reads nothing of it and can log out`, async ({
      page,
      request,
    }) => {
      const { mehmet } = letters
      await page.goto(`/m/${mehmet.token}`)
      await expect(page).toHaveURL('/introduction')
      await endSessions(page, request)
      await page.route('**/auth/token', async (route) => {
        const wait = 'token' in route.request().postDataJSON() ? loginMs : refreshMs
        await new Promise((resolve) => setTimeout(resolve, wait))
        await route.continue()
      })
      const refused = page.waitForResponse((answer) => answer.url().endsWith('/auth/token') && answer.status() === 401)
      await page.goto(`/m/${mehmet.token}`)
      await refused
      await expect(page).toHaveURL('/introduction')
      await expect(page.getByRole('button', { name: 'Benutzermenü' })).toBeVisible()
      await expect(page.getByText('Zugang abgelaufen')).toBeHidden({ timeout: 3000 })

      await follow(page, `/ablesung/${meters.due.id}`)
      const value = page.getByRole('textbox', { name: /^Zählerstand/ }).first()
      await value.pressSequentially('123')
      await expectKept(page, '"pre":"123"')
      await page.getByRole('button', { name: 'Benutzermenü' }).click()
      await page.getByRole('button', { name: 'Abmelden' }).click()
      await expect(page).toHaveURL('/')
      await logIn(page, mehmet)
      await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()
      await page.goto(`/ablesung/${meters.due.id}`)
      await expect(value).toHaveValue('')
    })

  test('the devices of an account are shown, and logged out one by one or all together', async ({
    page,
    browser,
    baseURL,
  }, info) => {
    const customer = await customerWith(info, '10523-strom')
    await enter(page, customer)
    const phone = await browser.newPage({
      baseURL: baseURL ?? '',
      userAgent: IPHONE,
    })
    await enter(phone, customer)

    await page.getByRole('button', { name: 'Benutzermenü' }).click()
    await page.getByRole('link', { name: 'Geräte' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Geräte' })).toBeVisible()
    const devices = page.getByRole('main').getByRole('listitem')
    await expect(devices).toHaveCount(2)
    await expect(devices.filter({ hasText: 'Dieses Gerät' })).toHaveCount(1)
    await expect(devices.filter({ hasText: 'iPhone' })).toContainText('Angemeldet mit Benutzername')
    await expectAccessibleInAllLanguages(page)

    await page.getByRole('button', { name: /^Abmelden: iPhone/ }).click()
    await expect(page.getByText('Abgemeldet: iPhone')).toBeVisible()
    await expect(devices).toHaveCount(1)
    await phone.getByRole('link', { name: 'Ablesung' }).first().click()
    await phone.reload()
    await expect(phone.getByText('Zugang abgelaufen')).toBeVisible()
    await expect(phone.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
    await enter(phone, customer)

    await page.getByRole('button', { name: 'Überall abmelden' }).click()
    const question = page.getByRole('dialog', { name: 'Überall abmelden?' })
    await expect(question).toContainText('bitten Sie Ihren Versorger um neue.')
    await question.getByRole('button', { name: 'Überall abmelden' }).click()
    await expect(page.getByText('Der Zugang „Anna Sommer“ ist überall abgemeldet')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
    await phone.reload()
    await expect(phone.getByText('Zugang abgelaufen')).toBeVisible()
    await phone.close()
  })
})
