/** The oldest browsers that the portal runs in, and those that are older still. */
import { lackedBy } from '../../../build/above-floor.ts'
import { floor } from '../../../build/floor.ts'
import { customerWith } from '../customer.ts'
import { letters, meters } from '../demo.ts'
import { expect, logIn, refusedWith, test } from '../portal.ts'

/** As Firefox refuses a site that may keep nothing; Chromium lets its tabs speak to each other all the same. */
const refuseAll = () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  Object.defineProperties(window, { localStorage: { get: refuse }, sessionStorage: { get: refuse } })
  IDBFactory.prototype.open = refuse
  LockManager.prototype.request = async () => refuse()
  window.BroadcastChannel = refuse as unknown as typeof BroadcastChannel
  ServiceWorkerContainer.prototype.register = async () => refuse()
}

test('in a browser that keeps nothing, a meter is read, and who types is told to stay', async ({ page }, info) => {
  await page.addInitScript(refuseAll)
  const { number, ...customer } = await customerWith(info, meters.doubleTariff.id)
  await page.goto('/')
  await logIn(page, customer)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/).pressSequentially('047000,5')
  await expect(page.getByRole('alert')).toContainText('Nicht auf diesem Gerät gesichert')
  await page.getByLabel(/NT 1\.8\.2: Ziffern vor dem Komma/).pressSequentially('026000,0')
  await page.getByRole('button', { name: 'Zählerstände senden' }).click()
  await expect(page.getByText('Senden erfolgreich')).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page.getByLabel('Benutzername')).toBeVisible()
})

test.describe('with nothing that an iPhone with iOS 16 lacks', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(
      (lacked) => {
        const world = globalThis as unknown as Record<string, { prototype?: object } | undefined>
        for (const { owner, member, isStatic } of lacked) {
          const holder = isStatic ? world[owner] : world[owner]?.prototype
          if (holder) Reflect.deleteProperty(holder, member)
        }
        // Chromium still knows what the attribute means.
        const set = Object.getOwnPropertyDescriptor(Element.prototype, 'setAttribute')?.value as (
          this: Element,
          name: string,
          value: string,
        ) => void
        Element.prototype.setAttribute = function (name, value) {
          if (!/^popover/i.test(name)) set.call(this, name, value)
        }
      },
      lackedBy('safari_ios', floor.safari),
    )
  })

  test('a meter is read, the menu opens and closes, and the evaluation shows the years', async ({ page }, info) => {
    const { number, ...customer } = await customerWith(info, meters.doubleTariff.id)
    await page.goto('/')
    expect(await page.evaluate(() => ['groupBy' in Map, 'popover' in HTMLElement.prototype])).toEqual([false, false])
    await logIn(page, customer)
    await expect(page.getByRole('heading', { name: /^Willkommen/ })).toBeVisible()

    const menu = page.getByRole('button', { name: 'Benutzermenü' })
    const logOut = page.getByRole('button', { name: 'Abmelden' })
    await expect(logOut).toBeHidden()
    await menu.click()
    await expect(menu).toHaveAttribute('aria-expanded', 'true')
    await expect(logOut).toBeVisible()
    await menu.click()
    await expect(logOut).toBeHidden()
    await menu.click()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expect(logOut).toBeHidden()
    await expect(menu).toBeFocused()
    await menu.click()
    await page.getByRole('heading', { name: /^Willkommen/ }).click()
    await expect(logOut).toBeHidden()

    await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/).pressSequentially('047000,5')
    await page.getByLabel(/NT 1\.8\.2: Ziffern vor dem Komma/).pressSequentially('026000,0')
    await page.getByRole('button', { name: 'Zählerstände senden' }).click()
    await expect(page.getByText('Senden erfolgreich')).toBeVisible()

    await page.getByRole('link', { name: 'Auswertung', exact: true }).click()
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
    await page.getByRole('heading', { name: /^Ablesehistorie HT/ }).click()
    await expect(page.getByRole('table').first()).toContainText('47.000,5')
  })
})

test.describe('in a browser that is older still', () => {
  test.use({ expectedErrors: [new RegExp(`^uncaught: |${refusedWith(404).source}`)] })

  for (const [locale, title, call] of [
    ['de-DE', 'Ihr Browser ist zu alt für dieses Portal', 'Oder rufen Sie uns an'],
    ['en-GB', 'Your browser is too old for this portal', 'Or give us a call'],
  ] as const) {
    test.describe(locale, () => {
      test.use({ locale })

      test('it says so, with whom to call, though the portal itself cannot be read there', async ({ page }) => {
        await page.addInitScript(() => Reflect.deleteProperty(Array.prototype, 'toSorted'))
        await page.route('**/assets/*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: 'syntax of tomorrow' }),
        )
        await page.goto(`/m/${letters.anna.token}`)
        await expect(page.getByRole('heading', { name: title })).toBeVisible()
        await expect(page.getByText(call)).toBeVisible()
        await expect(page.getByRole('link', { name: '0800 555 0142' })).toHaveAttribute('href', 'tel:08005550142')
        await expect(page.getByText('wird geladen')).toBeHidden()
        await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2))
      })
    })
  }

  test('without an answer of the server it says where the number is', async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'timeout'))
    await page.route('**/api/public/application', (route) => route.fulfill({ status: 404, json: {} }))
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Ihr Browser ist zu alt für dieses Portal' })).toBeVisible()
    await expect(page.getByText('Die Telefonnummer steht in Ihrem Brief.')).toBeVisible()
  })
})

test('under the notch of a phone nothing is out of reach', { tag: '@chromium' }, async ({ page, context }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  const chromium = await context.newCDPSession(page)
  const insets = { top: 20, left: 47, right: 47, bottom: 21 }
  await chromium.send('Emulation.setSafeAreaInsetsOverride', { insets })
  await page.goto('/')
  await logIn(page, letters.anna)
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  for (const part of [
    page.getByRole('banner').getByRole('button', { name: 'Benutzermenü' }),
    page.getByRole('button', { name: 'Abmelden' }),
    page.getByRole('heading', { name: /^Willkommen/ }),
    page.getByRole('contentinfo').getByRole('link').last(),
  ]) {
    await expect(async () => {
      await part.scrollIntoViewIfNeeded()
      const box = await part.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(insets.left)
      expect(box?.y).toBeGreaterThanOrEqual(insets.top)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(844 - insets.right)
    }).toPass()
  }
})
