import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { day } from '../day.ts'
import { holdPhotos } from '../device.ts'
import { mailsTo, newAddress } from '../mails.ts'
import { expect, expectAccessible, expectNoViolation, refusedWith, test, widerBy } from '../portal.ts'
import { enterAll, enterContact, enterMeter, enterReading, expectHeading, next, step, submit } from '../visitor.ts'

const PHOTO = fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))
const PATH = '/ablesung-ohne-zugang'
const RESULTS = '**/api/unknown-readings/results'
const SESSION = '**/auth/token-unknown-readings'

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 860 },
]) {
  test(`five steps at ${viewport.width} px: refused while incomplete, sent with a photo`, { tag: '@chromium' }, async ({
    page,
  }) => {
    test.slow()
    await page.setViewportSize(viewport)
    await page.goto(PATH)
    await expect(step(page)).toHaveText('1Zähler')
    await expect(next(page)).toBeDisabled()
    await expect(page.getByText(/^Bitte geben Sie eine gültige Zählernummer an/)).toBeVisible()
    await expect(page.getByText('Als Nächstes: Zählernummer')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Welchen Zähler haben Sie abgelesen?' })).toBeVisible()
    await expectAccessible(page)

    const number = page.getByLabel('Zählernummer')
    await number.fill('8sen 01')
    await expect(number).toHaveValue('8SEN01')
    await expect(page.getByText('6 von 14 Zeichen')).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Wasserzähler', exact: true })).toBeChecked()
    await expect(page.getByRole('radio', { name: /^Hauptzähler/ })).toBeChecked()
    await number.blur()
    await expect(page.getByText('Die Zählernummer hat mindestens 8 Zeichen.')).toBeVisible()
    await expect(next(page)).toBeDisabled()
    await number.fill('1ebz01000090010815')
    await expect(number).toHaveValue('1EBZ0100009001')
    await expect(page.getByRole('radio', { name: 'Stromzähler', exact: true })).toBeChecked()
    await page.getByRole('radio', { name: /^Zweitarifzähler/ }).check({ force: true })
    await page.screenshot({ path: test.info().outputPath('1-meter.png'), fullPage: true })
    await next(page).click()

    await expectHeading(page, 'Was zeigt der Zähler an?')
    await expect(step(page)).toHaveText('2Zählerstand')
    await expect(next(page)).toBeDisabled()
    await expect(page.getByText(/^Bitte geben Sie zu jedem ausgewählten Zählwerk/)).toBeVisible()
    const high = page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/)
    await expect(page.getByText('Als Nächstes: HT 1.8.1')).toBeVisible()
    await high.pressSequentially('12345')
    await expect(next(page)).toBeDisabled()
    await expect(page.getByText('Als Nächstes: NT 1.8.2')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Schritte' }).getByRole('listitem').first()).toHaveText(
      'erledigt: Zähler',
    )
    // Enter leaves a counter for what comes next.
    await high.press('Enter')
    const low = page.getByLabel(/NT 1\.8\.2: Ziffern vor dem Komma/)
    await expect(low).toBeFocused()
    await low.pressSequentially('6789')
    await expect(next(page)).toBeEnabled()
    await low.press('Enter')
    await expect(next(page)).toBeFocused()
    await page.getByRole('checkbox', { name: 'Nachkommastellen angeben' }).press('Space')
    await expect(next(page)).toBeDisabled()
    await page.getByLabel(/HT 1\.8\.1: Ziffern nach dem Komma/).pressSequentially('5')
    await page.getByLabel(/NT 1\.8\.2: Ziffern nach dem Komma/).pressSequentially('0')
    await expect(next(page)).toBeEnabled()
    const date = page.getByLabel('Ablesedatum')
    const today = await date.inputValue()
    await date.fill('2020-01-01')
    await expect(page.getByText('Dieses Datum ist nicht möglich.')).toBeVisible()
    await expect(next(page)).toBeDisabled()
    await date.fill(today)
    const photos = page.getByRole('group', { name: /^Fotos zu HT/ })
    const chooser = page.waitForEvent('filechooser')
    await photos.getByRole('button', { name: /Foto/ }).last().click()
    await (await chooser).setFiles(PHOTO)
    await expect(photos.getByRole('img', { name: 'Foto 1' })).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath('2-reading.png'), fullPage: true })
    await next(page).click()

    await expectHeading(page, 'Wer hat abgelesen, und warum?')
    await expect(next(page)).toBeDisabled()
    await expect(page.getByText(/^Bitte füllen Sie alle Felder aus/)).toBeVisible()
    await expect(page.getByText('Als Nächstes: Vorname')).toBeVisible()
    const zip = page.getByLabel('Postleitzahl')
    await zip.fill('D-3041')
    await expect(zip).toHaveValue('3041')
    await zip.blur()
    await expect(page.getByText('Die Postleitzahl hat genau 5 Ziffern.')).toBeVisible()
    await page.getByLabel('Vorname').fill('Änne<3>')
    await expect(page.getByLabel('Vorname')).toHaveValue('Änne')
    await page.getByRole('radio', { name: /^Jahresablesung/ }).check({ force: true })
    await expect(page.getByText('Wir haben Sie um den Stand für die Jahresabrechnung gebeten.')).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath('3-contact.png'), fullPage: true })
    await enterContact(page)

    await expectHeading(page, 'Stimmen Ihre Angaben?')
    await expect(submit(page)).toBeDisabled()
    await expect(
      page.getByText('Zum Übermitteln Ihrer Daten stimmen Sie bitte der Datenschutzerklärung zu.'),
    ).toBeVisible()
    await expect(page.getByText('12345,5')).toBeVisible()
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await expect(submit(page)).toBeEnabled()
    const email = page.getByLabel(/^E-Mail-Adresse/)
    await email.fill('aenne@')
    await expect(submit(page)).toBeDisabled()
    await email.blur()
    await expect(page.getByText(/gültige E-Mail-Adresse/).first()).toBeVisible()
    const address = newAddress()
    await email.fill(address)
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath('4-summary.png'), fullPage: true })
    const sent = page.waitForRequest(RESULTS)
    await submit(page).click()
    const body = (await sent).postDataJSON()
    expect(body).toMatchObject({ meterNumber: '1EBZ0100009001', readingDate: today, email: address })
    expect(body.readingValues).toMatchObject([{ value: '12345.5', readingImages: [{}] }, { value: '6789.0' }])

    await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
    await expect(page.getByText('Übermittlung erfolgreich')).toBeVisible()
    await expect(page.getByText(`Die Bestätigung ist unterwegs an ${address}.`)).toBeVisible()
    const mails = await mailsTo(address)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.BodyText).toMatch(/1EBZ0100009001[^]*12345,5 kWh/)
    await expect(step(page)).toContainText('Fertig')
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath('5-done.png'), fullPage: true })

    await page.getByRole('button', { name: 'Weiteren Zähler melden' }).click()
    await expect(page.getByLabel('Zählernummer')).toHaveValue('')
    await expect(step(page)).toHaveText('1Zähler')
  })
}

test('the rates of another meter are chosen by the visitor; leaving forgets what was entered', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(PATH)
  await page.getByLabel('Zählernummer').fill('EIGENER-1')
  await page.getByRole('radio', { name: /^Anderer Stromzähler/ }).check({ force: true })
  await next(page).click()
  await expect(page.getByRole('checkbox', { name: /1\.8\.0/ })).toBeChecked()
  await page.getByRole('checkbox', { name: /1\.8\.0/ }).press('Space')
  await expect(next(page)).toBeDisabled()
  await page.getByRole('checkbox', { name: /2\.8\.0/ }).press('Space')
  await expect(page.getByRole('heading', { name: 'Zählerstand Einspeisung 2.8.0', exact: true })).toBeVisible()
  await page.getByLabel(/2\.8\.0: Ziffern vor dem Komma/).pressSequentially('77')
  await next(page).click()
  await page.getByRole('button', { name: 'Zurück' }).click()
  await expect(page.getByLabel(/2\.8\.0: Ziffern vor dem Komma/)).toHaveValue('77')
  await expect(page.getByText('Kein Brief zur Hand?')).toBeVisible()

  await page.getByRole('link', { name: 'Mit PIN anmelden' }).click()
  const question = page.getByRole('dialog', { name: 'Angaben verwerfen?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Weiter ausfüllen' }).click()
  await expect(page.getByLabel(/2\.8\.0: Ziffern vor dem Komma/)).toHaveValue('77')
  await page.getByRole('link', { name: 'Mit PIN anmelden' }).click()
  await question.getByRole('button', { name: 'Verwerfen und verlassen' }).click()
  await page.getByRole('link', { name: 'Ohne Zugang' }).click()
  await expect(step(page)).toHaveText('1Zähler')
  await expect(page.getByLabel('Zählernummer')).toHaveValue('')
})

test('back is one step back; leaving asks, and so does a reload', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Ohne Zugang' }).click()
  await enterMeter(page)
  await enterReading(page)
  await expectHeading(page, 'Wer hat abgelesen, und warum?')
  await page.goBack()
  await expectHeading(page, 'Was zeigt der Zähler an?')
  await page.goForward()
  await expectHeading(page, 'Wer hat abgelesen, und warum?')
  await page.getByRole('button', { name: 'Zurück' }).click()
  await expectHeading(page, 'Was zeigt der Zähler an?')
  await expect(page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/)).toHaveValue('12345')
  await page.goBack()
  await expectHeading(page, 'Welchen Zähler haben Sie abgelesen?')

  const question = page.getByRole('dialog', { name: 'Angaben verwerfen?' })
  await page.goBack()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(page).toHaveURL(PATH)
  await expect(page.getByLabel('Zählernummer')).toHaveValue('1EBZ0100009001')

  const asked = page.waitForEvent('dialog')
  const reload = page.reload()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reload
  await expect(page.getByLabel('Zählernummer')).toHaveValue('')

  // What was sent is not to be sent again: back leaves it.
  await enterMeter(page)
  await enterReading(page)
  await enterContact(page)
  await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
  await submit(page).click()
  await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
  await page.goBack()
  await expect(page).toHaveURL('/')
})

test('on a phone the way to log in and the phone number are there, and nothing is torn or covered', async ({
  page,
}) => {
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(PATH)
    await expect(page.getByRole('link', { name: 'Mit PIN anmelden' })).toHaveCount(1)
    const phone = page.getByRole('link', { name: '0800 555 0142' }).first()
    await expect.poll(async () => (await phone.boundingBox())?.height).toBeGreaterThanOrEqual(24)
    await enterMeter(page)
    // The circle is in the middle of its step, however long the name below it: else the lines between steps run through it.
    const offset = () =>
      step(page).evaluate((item) => {
        const middleOf = (element: Element | null) => {
          const { left = 0, right = 0 } = element?.getBoundingClientRect() ?? {}
          return (left + right) / 2
        }
        return Math.abs(middleOf(item) - middleOf(item.querySelector('.steps__number')))
      })
    await expect.poll(offset).toBeLessThan(1)
    await enterReading(page)
    for (const language of ['Deutsch (Du)', 'English']) {
      await expect(async () => {
        const heights = await page
          .locator('.contact label')
          .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height))
        expect(heights).toHaveLength(6)
        expect(Math.max(...heights)).toBeLessThan(32)
      }).toPass()
      await page.getByRole('button', { name: `Sprache wechseln zu ${language}` }).click()
    }
    await expect.poll(() => widerBy(page)).toBe(0)
    // The language is kept for the next visit.
    await page.getByRole('button', { name: 'Switch language to Deutsch', exact: true }).click()
  }
})

test('a photo that is required is asked for', async ({ page }) => {
  await page.goto(PATH)
  await page.getByLabel('Zählernummer').fill('8SEN0199000077')
  await page.getByRole('radio', { name: /^Gartenwasserzähler/ }).check({ force: true })
  await next(page).click()
  await page.getByRole('textbox', { name: /vor dem Komma/ }).pressSequentially('12,345')
  await expect(page.getByText(/^Foto des Zählers \(erforderlich/)).toBeVisible()
  await expect(next(page)).toBeDisabled()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Foto hinzufügen' }).click()
  await (await chooser).setFiles(PHOTO)
  await expect(next(page)).toBeEnabled()
})

test('nothing is sent before a photo that was picked is ready to go with it', async ({ page }) => {
  const release = await holdPhotos(page)
  await page.goto(PATH)
  await enterMeter(page)
  await page.locator('input[type=file][multiple]').first().setInputFiles(PHOTO)
  await enterReading(page)
  await enterContact(page)
  await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
  await expect(page.getByText('Foto wird vorbereitet …')).toBeVisible()
  await expect(submit(page)).toBeDisabled()
  await release()
  const sent = page.waitForRequest(RESULTS)
  await submit(page).click()
  expect((await sent).postDataJSON().readingValues[0].readingImages).toHaveLength(1)
})

test('what was forgotten is sent once more, and arrives as another reading', async ({ page }) => {
  const answers: { key: string | undefined; id: string }[] = []
  page.on('response', async (response) => {
    if (!response.url().endsWith('/api/unknown-readings/results')) return
    answers.push({ key: response.request().headers()['idempotency-key'], id: (await response.json()).id })
  })
  await page.goto(PATH)
  for (const photos of [0, 0, 1]) {
    await enterMeter(page)
    if (photos) await page.locator('input[type=file][multiple]').first().setInputFiles(PHOTO)
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await submit(page).click()
    await page.getByRole('button', { name: 'Weiteren Zähler melden' }).click()
  }
  await expect.poll(() => answers.length).toBe(3)
  const [first, same, withPhoto] = answers
  expect(same?.id).toBe(first?.id)
  expect(withPhoto?.id).not.toBe(first?.id)
  // A clerk may have refused it in between, which only a key of its own gets past.
  expect(same?.key).not.toBe(first?.key)
})

test.describe('while the reading is on its way', () => {
  /** Keeps it there until the returned function is called. */
  async function hold(page: Page): Promise<() => void> {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(RESULTS, async (route) => {
      await held
      await route.continue()
    })
    return release
  }

  test('who goes back is told that it has arrived', async ({ page }) => {
    const release = await hold(page)
    await page.goto('/')
    await page.getByRole('link', { name: 'Ohne Zugang' }).click()
    await enterAll(page)
    await submit(page).click()
    await page.goBack()
    await expectHeading(page, 'Wer hat abgelesen, und warum?')
    release()
    await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
    await page.goBack()
    await expect(page).toHaveURL('/')
  })

  test('nobody is asked any more whether to discard what has arrived', async ({ page }) => {
    const release = await hold(page)
    await page.goto(PATH)
    await enterAll(page)
    await submit(page).click()
    await page.getByRole('link', { name: 'Mit PIN anmelden' }).click()
    await expect(page.getByRole('dialog', { name: 'Angaben verwerfen?' })).toBeVisible()
    release()
    await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
    await page.getByRole('button', { name: 'Weiteren Zähler melden' }).click()
    await page.getByLabel('Zählernummer').fill('1EBZ0100009001')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  test('who has left is not fetched back', async ({ page }) => {
    const release = await hold(page)
    await page.goto('/')
    await page.getByRole('link', { name: 'Ohne Zugang' }).click()
    await enterAll(page)
    await submit(page).click()
    await page.getByRole('link', { name: 'Mit PIN anmelden' }).click()
    await page.getByRole('button', { name: 'Verwerfen und verlassen' }).click()
    await expect(page).toHaveURL('/')
    const arrived = page.waitForResponse(RESULTS)
    release()
    await arrived
    await expect(page.getByText('Übermittlung erfolgreich')).toBeVisible()
    await page.getByRole('link', { name: 'Ohne Zugang' }).click()
    await expect(step(page)).toHaveText('1Zähler')
    await page.goBack()
    await expect(page).toHaveURL('/')
  })
})

test('the day that was shown is the one that is sent, also past midnight', async ({ page }) => {
  const quarter = 15 * 60_000
  let midnight = Math.floor(Date.now() / quarter) * quarter
  const dayAt = (time: number) => day((time - Date.now()) / 86_400_000)
  while (dayAt(midnight - quarter) === dayAt(midnight)) midnight -= quarter
  const yesterday = dayAt(midnight - quarter)
  // The portal's days are those of the server.
  let now = midnight - 10 * 60_000
  await page.route(/\/(api|auth)\//, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), date: new Date(now).toUTCString() } })
  })
  await page.clock.install({ time: now })
  await page.goto(PATH)
  await enterAll(page)
  const shown = page.getByText(yesterday.split('-').toReversed().join('.'))
  await expect(shown).toBeVisible()
  now += quarter
  await page.clock.fastForward(quarter)
  await expect(shown).toBeVisible()
  const sent = page.waitForRequest(RESULTS)
  await submit(page).click()
  expect((await sent).postDataJSON().readingDate).toBe(yesterday)
  await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
})

test('what another type of the meter does not take says so', async ({ page }) => {
  await page.route('**/api/public/application', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'HEAD') return route.fulfill({ response })
    const settings = await response.json()
    const [oneTariff] = settings.unknownReading.meters.ELECTRIC_METER.subTypeMeterConfigs
    oneTariff.meterConfig.defaultMeterReadingConfig.preDecimals = 5
    return route.fulfill({ response, json: settings })
  })
  await page.goto(PATH)
  await page.getByLabel('Zählernummer').fill('EIGENER-1')
  const choose = async (name: RegExp) => {
    await page.getByRole('radio', { name }).check({ force: true })
    await next(page).click()
  }
  const back = () => page.getByRole('button', { name: 'Zurück' }).click()
  await choose(/^Zweirichtungszähler/)
  await page.getByLabel(/1\.8\.0: Ziffern vor dem Komma/).pressSequentially('123456')
  await back()
  await choose(/^Eintarifzähler/)
  await expect(page.getByText('Mehr als 5 Stellen vor dem Komma sind nicht möglich.')).toBeVisible()
  await expect(page.getByText('Als Nächstes: Verbrauch 1.8.0')).toBeVisible()
  await expect(next(page)).toBeDisabled()
  await expectAccessible(page)
  const value = page.getByLabel(/1\.8\.0: Ziffern vor dem Komma/)
  await expect(value).toHaveAttribute('aria-invalid', 'true')
  await value.fill('12345')
  await expect(next(page)).toBeEnabled()

  // So many photos are possible for each of them, and too many for both.
  const photos = page.locator('input[type=file][multiple]')
  await photos.setInputFiles(Array(10).fill(PHOTO))
  await expect(page.getByRole('img', { name: 'Foto 10' })).toBeVisible()
  await back()
  await choose(/^Zweitarifzähler/)
  await photos.first().setInputFiles(PHOTO)
  await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await back()
  await choose(/^Anderer Stromzähler/)
  await page.getByRole('checkbox', { name: /1\.8\.1/ }).press('Space')
  await page.getByLabel(/1\.8\.1: Ziffern vor dem Komma/).pressSequentially('1')
  await expect(page.getByText('Es sind höchstens 10 Fotos möglich.').first()).toBeVisible()
  await expect(page.getByText('Als Nächstes: Foto zu HT 1.8.1')).toBeVisible()
  await expect(next(page)).toBeDisabled()
  await page
    .getByRole('group', { name: /^Fotos zu HT/ })
    .getByRole('button', { name: 'Foto 1 entfernen' })
    .click()
  await expect(next(page)).toBeEnabled()
})

test('a house number that the browser has filled in behind the street goes into its own field', async ({ page }) => {
  await page.goto(PATH)
  await enterMeter(page)
  await enterReading(page)
  const street = page.getByLabel('Straße')
  const number = page.getByLabel('Hausnummer')
  for (const [typed, ...parted] of [
    ['Musterstraße 5', 'Musterstraße', '5'],
    ['Am Furtufer 12 a', 'Am Furtufer', '12 a'],
    ['C4 12', 'C4', '12'],
    ['Straße des 17. Juni', 'Straße des 17. Juni', ''],
    ['Am Bahnhof 12 - 14', 'Am Bahnhof 12 - 14', ''],
    ['Hauptstr. 12 1/2', 'Hauptstr. 12 1/2', ''],
    ['Musterstraße 5 Whg 3', 'Musterstraße 5 Whg 3', ''],
    ['C 4', 'C 4', ''],
  ] as const) {
    await number.fill('')
    await street.fill('')
    await street.fill(typed)
    await expect(street).toHaveValue(parted[0])
    await expect(number).toHaveValue(parted[1])
  }
  await number.fill('3')
  await street.fill('')
  await street.fill('Zeile 7')
  await expect(street).toHaveValue('Zeile 7')
  // Who types it means it so: there are streets with a number for a name.
  await number.fill('')
  await street.fill('')
  await street.pressSequentially('Straße 52')
  await street.blur()
  await expect(street).toHaveValue('Straße 52')
  // Keyboards of phones put in whole words.
  await street.fill('')
  await street.fill('Straße ')
  await street.fill('Straße 52 ')
  await expect(street).toHaveValue('Straße 52 ')
  await street.fill('')
  await street.pressSequentially('Li')
  await street.fill('Lindenweg 12')
  await expect(street).toHaveValue('Lindenweg')
  await expect(number).toHaveValue('12')
})

test.describe('when sending fails', () => {
  test.use({ expectedErrors: [refusedWith(503)] })

  test('the summary stays, and the next try has the same key', async ({ page }) => {
    const keys: (string | undefined)[] = []
    await page.route(RESULTS, async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      return route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { code: 'temporarily-unavailable' },
      })
    })
    await page.goto(PATH)
    await enterMeter(page)
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await submit(page).dblclick()
    await expect(page.getByText('Übermittlung fehlgeschlagen')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Stimmen Ihre Angaben?' })).toBeVisible()
    await expect(page.getByText('Am Furtufer 12a')).toBeVisible()
    await expectAccessible(page)
    expect(keys).toHaveLength(1)
    await submit(page).click()
    await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
    expect(keys).toEqual([keys[0], keys[0]])
  })
})

// D-OUTBOX-2
test.describe('when the network is lost', () => {
  test.use({ expectedErrors: [/net::ERR_INTERNET_DISCONNECTED|status of 503/] })

  test('what was entered waits, and goes by itself when the network is back', { tag: '@firefox' }, async ({
    page,
    context,
  }) => {
    const sent: (string | undefined)[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/api/unknown-readings/results') && response.status() === 201)
        sent.push(response.request().headers()['idempotency-key'])
    })
    await page.goto(PATH)
    await enterMeter(page)
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await context.setOffline(true)
    await submit(page).click()
    const waiting = page.getByRole('alert').filter({ hasText: 'Keine Internetverbindung' })
    await expect(waiting).toContainText('werden Ihre Angaben von selbst übermittelt')
    await expect(page.getByText('Am Furtufer 12a')).toBeVisible()
    await expectAccessible(page)

    // Who goes back to change something sends by hand.
    await page.getByRole('button', { name: 'Ändern: Kontakt' }).click()
    await page.getByLabel('Hausnummer').fill('12b')
    await next(page).click()
    await expect(waiting).toBeHidden()
    await submit(page).click()
    await expect(waiting).toBeVisible()

    await context.setOffline(false)
    await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
    expect(sent).toHaveLength(1)
  })

  // D-OUTBOX-10
  test('one message says so, in place of what was said before', async ({ page, context }) => {
    await page.route(RESULTS, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { code: 'temporarily-unavailable' },
      }),
    )
    await page.goto(PATH)
    await enterMeter(page)
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await submit(page).click()
    const notices = page.getByRole('region', { name: 'Meldungen' })
    await expect(notices.getByText('Übermittlung fehlgeschlagen')).toBeVisible()
    await page.unroute(RESULTS)
    await context.setOffline(true)
    await expect(notices.getByText('Kein Internet')).toBeVisible()
    await submit(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Keine Internetverbindung' })).toBeVisible()
    // Sooner than by themselves.
    await expect(notices.getByText(/\S/)).toHaveCount(0, { timeout: 5000 })
  })

  test('a session that could not be fetched is fetched when the network is back', async ({ page, context }) => {
    const calls = /\/auth\/token-unknown-readings|\/api\/public\/application$/
    await page.goto(PATH)
    await expect(step(page)).toHaveText('1Zähler')
    await page.goto('/')
    await page.route(calls, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort('internetdisconnected'),
    )
    await page.goto(PATH)
    await expect(
      page.getByRole('heading', { name: 'Die Zählerstandserfassung ist momentan nicht möglich' }),
    ).toBeVisible()
    await page.unroute(calls)
    // The browser notices by itself.
    await context.setOffline(true)
    await context.setOffline(false)
    await expect(step(page)).toHaveText('1Zähler')
  })
})

test.describe('who has sent too much', () => {
  test.use({ expectedErrors: [refusedWith(429)] })

  const refuse = (page: Page, path: string, code: string) =>
    page.route(path, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '3400' },
        body: JSON.stringify({ code }),
      }),
    )

  test('is told how long to wait, and is not asked to try what cannot succeed', async ({ page }) => {
    await refuse(page, RESULTS, 'too-many-attempts')
    await refuse(page, '**/api/pro/unknown-readings/receipts', 'too-many-recipients')
    await page.goto(PATH)
    await enterMeter(page)
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await page.getByLabel(/^E-Mail-Adresse/).fill(newAddress())
    await submit(page).click()
    const refusal = page.getByText('Zu viele Versuche. Bitte versuchen Sie es in 57 Minuten noch einmal.')
    await expect(refusal).toBeVisible()
    await expect(page.getByText('Ihre Angaben bleiben erhalten.', { exact: true })).toBeVisible()

    await page.unroute(RESULTS)
    await submit(page).click()
    await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
    // The receipt of what was sent cannot be asked for again.
    await expect(page.getByRole('alert').filter({ hasText: 'Ablesebestätigung fehlgeschlagen' })).toContainText(
      /Nur die Bestätigung konnte nicht gesendet werden\.$/,
    )
  })
})

test('an address that is too long is refused and not cut', async ({ page }) => {
  await page.goto(PATH)
  await enterMeter(page)
  await enterReading(page)
  await enterContact(page)
  await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
  const address = page.getByLabel(/^E-Mail-Adresse/)
  const long = `anna@${'a'.repeat(60)}.${'b'.repeat(51)}.org`
  await address.fill(long)
  await expect(address).toHaveValue(long)
  await expect(submit(page)).toBeDisabled()
  await address.fill(long.slice(1))
  await expect(submit(page)).toBeEnabled()
})

test.describe('when the receipt fails', () => {
  test.use({ expectedErrors: [refusedWith(422)] })

  test('a message says so, and the reading stays sent', { tag: '@chromium' }, async ({ page }) => {
    const asked: unknown[] = []
    await page.route('**/api/pro/unknown-readings/receipts', (route) => {
      asked.push(route.request().postDataJSON().email)
      return route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        json: { code: 'recipient-suppressed' },
      })
    })
    await page.goto(PATH)
    await enterMeter(page)
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    const address = newAddress()
    await page.getByLabel(/^E-Mail-Adresse/).fill(address)
    await submit(page).click()
    await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
    await expect(page.getByText('Übermittlung erfolgreich')).toBeVisible()
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('Ablesebestätigung fehlgeschlagen')
    await expect(alert).toContainText(
      'Ihr Zählerstand ist angekommen. Nur die Bestätigung konnte nicht gesendet werden. An diese Adresse senden wir nichts mehr',
    )
    expect(asked).toEqual([address])
  })
})

test('without the role there is no address to enter, and nothing is receipted without one', async ({ page }) => {
  let hasRole = false
  await page.route(SESSION, async (route) => {
    const response = await route.fetch()
    const session = (await response.json()) as { token: string }
    const [head = '', body = '', signature = ''] = session.token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { roles: string[] }
    if (!hasRole) claims.roles = ['ROLE_KSA_UNKNOWN_READINGS']
    const changed = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const token = hasRole ? session.token : [head, changed, signature].join('.')
    await route.fulfill({ response, json: { ...session, token } })
  })
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/unknown-readings/receipts')) asked += 1
  })
  for (const role of [false, true]) {
    hasRole = role
    await page.goto(PATH)
    await enterMeter(page)
    await enterReading(page)
    await enterContact(page)
    await expect(page.getByLabel(/^E-Mail-Adresse/)).toHaveCount(role ? 1 : 0)
  }
  await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
  await submit(page).click()
  await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
  expect(asked).toBe(0)
})

test('an expired session says so, and is replaced without losing anything', async ({ page }) => {
  let sessions = 0
  let expiresIn = 0
  await page.route(SESSION, async (route) => {
    sessions += 1
    const response = await route.fetch()
    const session = await response.json()
    expiresIn = session.expiresIn
    await route.fulfill({ response })
  })
  await page.clock.install()
  await page.goto(PATH)
  await page.getByLabel('Zählernummer').fill('1EBZ0100009001')
  await page.clock.fastForward(expiresIn * 1000)
  await expect(page.getByRole('alert').filter({ hasText: 'Session abgelaufen' })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Session erneuern' }).click()
  await expectHeading(page, 'Welchen Zähler haben Sie abgelesen?')
  await expect(page.getByLabel('Zählernummer')).toHaveValue('1EBZ0100009001')
  expect(sessions).toBe(2)
})

test('a session that ends while the reading is on its way takes nothing away', async ({ page }) => {
  let expiresIn = 0
  await page.route(SESSION, async (route) => {
    const response = await route.fetch()
    expiresIn = (await response.json()).expiresIn
    await route.fulfill({ response })
  })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let sent = 0
  await page.route(RESULTS, async (route) => {
    sent += 1
    await held
    await route.continue()
  })
  await page.clock.install()
  await page.goto(PATH)
  await enterMeter(page)
  await enterReading(page)
  await enterContact(page)
  await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
  await page.clock.fastForward((expiresIn - 60) * 1000)
  await submit(page).click()
  await expect.poll(() => sent).toBe(1)
  await page.clock.fastForward(60_000)
  await expect(page.getByRole('button', { name: 'Wird übermittelt' })).toBeVisible()
  await expect(page.getByText('Session abgelaufen')).toHaveCount(0)
  release()
  await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
  expect(sent).toBe(1)
})

test.describe('where photos do not get through', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test('that is what is said, and the reading goes without', async ({ page }) => {
    await page.route(
      ({ pathname }) => !/^\/(?:api|auth|assets)\//.test(pathname),
      (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()),
    )
    await page.goto(PATH)
    await enterMeter(page)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Foto hinzufügen' }).first().click()
    await (await chooser).setFiles(PHOTO)
    await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
    await enterReading(page)
    await enterContact(page)
    await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
    await submit(page).click()
    await expect(page.getByText(/^Das Foto ist nicht angekommen\./)).toBeVisible()
    await expect(page.getByText(/Bitte prüfen Sie Ihre Internetverbindung/)).toHaveCount(0)
    for (const back of ['Kontakt', 'Zählerstand']) {
      await page.getByRole('button', { name: 'Zurück' }).click()
      await expect(step(page)).toContainText(back)
    }
    await page.getByRole('button', { name: 'Foto 1 entfernen' }).click()
    await next(page).click()
    await next(page).click()
    await submit(page).click()
    await expectHeading(page, 'Vielen Dank, Ihr Zählerstand ist angekommen')
  })
})

test.describe('without a session', () => {
  test.use({ expectedErrors: [/status of (503|403)/] })

  for (const { status, code, title } of [
    {
      status: 503,
      code: 'temporarily-unavailable',
      title: 'Die Zählerstandserfassung ist momentan nicht möglich',
    },
    { status: 403, code: 'feature-disabled', title: 'Diese Funktion steht nicht zur Verfügung' },
  ]) {
    test(`there is no reading: ${code}`, async ({ page }) => {
      await page.route(SESSION, (route) =>
        route.fulfill({ status, contentType: 'application/problem+json', json: { code } }),
      )
      await page.goto(PATH)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Zum Start' }).click()
      await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
    })
  }

  test('another try finds what was typed before it ended', async ({ page }) => {
    await page.clock.install()
    const session = page.waitForResponse(SESSION)
    await page.goto(PATH)
    const { expiresIn } = (await (await session).json()) as { expiresIn: number }
    const number = page.getByLabel('Zählernummer')
    await number.fill('1EBZ0100009001')
    await page.clock.fastForward(expiresIn * 1000)
    await page.route(SESSION, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { code: 'temporarily-unavailable' },
      }),
    )
    await page.getByRole('button', { name: 'Session erneuern' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'momentan nicht möglich' })
    await expect(failure).toBeFocused()
    await expect(failure).toContainText('Der Dienst ist gerade ausgelastet.')
    await expect(failure).toContainText('Ihre Angaben bleiben erhalten.')
    await page.unroute(SESSION)
    await failure.getByRole('button', { name: 'Erneut versuchen' }).click()
    await expect(number).toHaveValue('1EBZ0100009001')
  })
})

test('while the session is fetched a message says so; the hints are in the language of the screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(SESSION, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(PATH)
  const pending = page.getByRole('status')
  await expect(
    pending.getByRole('heading', { level: 1, name: 'Die Zählerstandserfassung wird vorbereitet …' }),
  ).toBeVisible()
  answer()
  await enterMeter(page)
  await enterReading(page)
  await page.getByRole('radio', { name: /^Jahresablesung/ }).check({ force: true })
  await expect(page.getByText('Wir haben Sie um den Stand für die Jahresabrechnung gebeten.')).toBeVisible()
  for (const language of ['Deutsch (Du)', 'English'])
    await page.getByRole('button', { name: `Sprache wechseln zu ${language}` }).click()
  await expect(page.getByRole('radio', { name: /^Annual reading/ })).toBeChecked()
  await expect(page.getByText('We asked you for the reading for your annual bill.')).toBeVisible()
})

test("the tenant's own texts are in the language of the reader, or say in which one they are", async ({ page }) => {
  await page.goto(PATH)
  for (const language of ['Deutsch (Du)', 'English'])
    await page.getByRole('button', { name: `Sprache wechseln zu ${language}` }).click()
  await expect(page.getByRole('radio', { name: /^Double-tariff meter \(HT and NT\)/ })).toBeVisible()
  await expect(page.getByText('Two registers for day and night, marked 1.8.1 and 1.8.2.')).not.toHaveAttribute('lang')
  await page.getByLabel('Meter number').fill('8SEN0199000077')
  await page.getByRole('radio', { name: /^Garden water meter/ }).check({ force: true })
  // The demo tenant has not translated this one.
  await expect(page.getByText(/^Ein Zwischenzähler für Wasser/)).toHaveAttribute('lang', 'de')
  await expectNoViolation(page)
})

test('contact and help stand beside the form', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(PATH)
  const side = page.getByRole('complementary', { name: 'Hilfe' })
  await expect(side.getByRole('heading', { name: 'So geht es' })).toBeVisible()
  await expect(side.getByRole('link', { name: '0800 555 0142' }).first()).toBeVisible()
  await expect(side.getByText('Richten Sie die Kamera Ihres Telefons auf den Code im Brief.')).toBeHidden()
  await side.getByRole('heading', { name: 'Hilfe', exact: true }).click()
  await expect(side.getByText('Richten Sie die Kamera Ihres Telefons auf den Code im Brief.')).toBeVisible()
  await expectAccessible(page)
})
