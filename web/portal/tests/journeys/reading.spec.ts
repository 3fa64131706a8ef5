import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { customerWith } from '../customer.ts'
import { day } from '../day.ts'
import { letters, meters } from '../demo.ts'
import { operate } from '../operator.ts'
import { expect, expectAccessible, logIn, refusedWith, test } from '../portal.ts'

const PHOTO = fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))

test('a letter, two rates, a photo: sent, seen, logged out', { tag: '@firefox' }, async ({ page }, info) => {
  const { number, ...customer } = await customerWith(info, meters.doubleTariff.id)
  await page.goto('/')
  await logIn(page, customer)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()

  const send = page.getByRole('button', { name: 'Zählerstände senden' })
  await expect(send).toBeDisabled()
  await page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/).pressSequentially('047000,5')
  await page.getByLabel(/NT 1\.8\.2: Ziffern vor dem Komma/).pressSequentially('026000,0')
  const photos = page.getByRole('group', { name: /^Fotos zu HT/ })
  const chooser = page.waitForEvent('filechooser')
  await photos.getByRole('button', { name: 'Foto hinzufügen' }).click()
  await (await chooser).setFiles(PHOTO)
  await expect(photos.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await expect(photos.getByRole('button', { name: 'Foto hinzufügen' })).toBeFocused()
  await send.click()

  await expect(page.getByText('Senden erfolgreich')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Abgelesen' })).toBeVisible()
  await expect(page.getByText('47000,5')).toBeVisible()
  const stored = page.getByRole('img', { name: /^Foto 1 zum Zählerstand/ })
  await expect(stored).toBeVisible()
  const longestSide = () =>
    stored.evaluate((image: HTMLImageElement) => Math.max(image.naturalWidth, image.naturalHeight))
  await expect.poll(longestSide).toBe(1600)

  await page.reload()
  await expect(page.getByText('47000,5')).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
})

test('a reading out of range asks, and goes when it is confirmed', { tag: '@firefox' }, async ({ page }, info) => {
  const { number, ...customer } = await customerWith(info, meters.solar.id)
  await page.goto('/')
  await logIn(page, customer)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await page.getByLabel(/1\.8\.0: Ziffern vor dem Komma/).pressSequentially('019500,0')
  await page.getByLabel(/2\.8\.0: Ziffern vor dem Komma/).pressSequentially('013000,0')
  await page.getByRole('button', { name: 'Zählerstände senden' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('größer als erwartet')
  await dialog.getByRole('button', { name: 'Korrigieren' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Abgelesen' })).toBeHidden()
  await page.getByRole('button', { name: 'Zählerstände senden' }).click()
  await dialog.getByRole('button', { name: 'Trotzdem senden' }).click()
  await expect(page.getByRole('heading', { name: 'Abgelesen' })).toBeVisible()
})

test.describe('a meter without a range, of which the years before are known', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('asks about a value ten times too high, and what is confirmed waits for a clerk', async ({ page }, info) => {
    const serial = String(randomInt(1e9, 1e10))
    const account = { id: `k-${serial}`, name: 'Anna Sommer', username: `strom.${serial}`, password: `birke-${serial}` }
    const [before, last] = [day(-730), day(-365)]
    const readingEvents = [
      { readingDate: before, readingValue: '004000' },
      { readingDate: last, readingValue: '007000' },
    ]
    const job = {
      accountId: account.id,
      id: serial,
      meter: {
        meterNumber: `1EBZ${serial}`,
        meterRateTasks: [{ taskId: 'strom', obis: '1-0:1.8.0', preDecimals: 6, postDecimals: 0, readingEvents }],
      },
      jobConstraints: { earliestExecution: day(-10), latestExecution: day(30) },
    }
    const [accountFile, jobFile] = [info.outputPath('accounts.jsonl'), info.outputPath('jobs.jsonl')]
    writeFileSync(accountFile, JSON.stringify({ ...account, language: 'de-FORMAL' }))
    writeFileSync(jobFile, JSON.stringify(job))
    const tenant = ['--tenant', 'birkenfurt']
    await operate('accounts', 'import', accountFile, ...tenant, '--letters', info.outputPath('letters.jsonl'))
    await operate('jobs', 'import', jobFile, ...tenant)

    await page.goto(`/ablesung/${serial}`)
    await logIn(page, account)
    await page.getByRole('textbox', { name: /^Zählerstand/ }).pressSequentially('101000')
    const [year, month, date] = last.split('-')
    const words = [
      'Der Verbrauch ist viel höher als sonst.',
      `Das wären 94.000\u00a0kWh seit dem ${date}.${month}.${year}, sonst sind es etwa 3.000\u00a0kWh im Jahr.`,
      'Ist eine Ziffer zu viel?',
    ].join(' ')
    await expect(page.getByText('viel höher als sonst')).toContainText(words)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Zählerstand senden' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(words)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Trotzdem senden' }).click()
    await expect(page.getByRole('heading', { name: 'Abgelesen' })).toBeVisible()

    const listed = async () => {
      const { waiting } = JSON.parse(await operate('clearing', 'list', ...tenant, '--json')) as {
        waiting: { job: string; value: string; doubts: string[] }[]
      }
      return waiting.filter(({ job }) => job === serial).map(({ value, doubts }) => [value, doubts])
    }
    await expect.poll(listed).toEqual([['101000', ['EXPECTED_HIGH']]])
  })
})

test('where the limits are strict, a reading out of range cannot be sent', async ({ page }) => {
  await page.goto(`/m/${letters.rosa.token}`)
  await page.getByRole('link', { name: 'Start reading' }).click()
  await page.getByRole('link', { name: new RegExp(meters.strict.number) }).click()
  await expect(page.getByRole('heading', { level: 1, name: meters.strict.number })).toBeVisible()
  await page.getByLabel(/1\.8\.0: .*before/).pressSequentially('019999.9')
  const refused = page.locator('.message--error').filter({ hasText: /greater than expected/ })
  await expect(refused.getByText('If the meter really shows this, please contact us:')).toBeVisible()
  await expect(refused.getByRole('link', { name: '0800 555 0142' })).toHaveAttribute('href', 'tel:08005550142')
  await expect(page.getByRole('button', { name: /^Send/ })).toBeDisabled()
  await expectAccessible(page)
})

test('after the deadline nothing can be sent', async ({ page }) => {
  await page.goto(`/m/${letters.rosa.token}`)
  await expect(page.getByRole('heading', { name: 'Good to have you here' })).toBeVisible()
  await page.goto(`/ablesung/${meters.expired.id}`)
  await expect(page.getByRole('heading', { level: 1, name: meters.expired.number })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send/ })).toHaveCount(0)
})

test.describe('a meter that the utility lists for another customer while its form is open', () => {
  test.use({ expectedErrors: [refusedWith(422)] })

  // D-OUTBOX-1
  test('says that no more is taken, and its reading can be discarded', async ({ page }, info) => {
    const serial = String(randomInt(1e9, 1e10))
    const [former, next] = [`k-${serial}-1`, `k-${serial}-2`]
    const account = { id: former, name: 'Anna Sommer', username: `auszug.${serial}`, password: `birke-${serial}` }
    const accounts = [account, { ...account, id: next, name: 'Max Winter', username: `einzug.${serial}` }]
    const [accountFile, jobFile] = [info.outputPath('accounts.jsonl'), info.outputPath('jobs.jsonl')]
    const tenant = ['--tenant', 'birkenfurt']
    writeFileSync(
      accountFile,
      accounts.map((account) => JSON.stringify({ ...account, language: 'de-FORMAL' })).join('\n'),
    )
    await operate('accounts', 'import', accountFile, ...tenant, '--letters', info.outputPath('letters.jsonl'))
    const list = async (accountId: string) => {
      const job = {
        accountId,
        id: `${accountId}-strom`,
        meLoId: `DE${serial.padStart(31, '0')}`,
        meter: {
          meterNumber: `1EBZ${serial}`,
          meterRateTasks: [{ taskId: 'strom', obis: '1-0:1.8.0', preDecimals: 6, postDecimals: 0 }],
        },
        jobConstraints: { earliestExecution: day(-10), latestExecution: day(30) },
      }
      writeFileSync(jobFile, JSON.stringify(job))
      await operate('jobs', 'import', jobFile, ...tenant)
    }
    await list(former)
    await page.goto(`/ablesung/${former}-strom`)
    await logIn(page, account)
    await page.getByRole('textbox', { name: /^Zählerstand/ }).pressSequentially('101000')
    await list(next)
    await page.getByRole('button', { name: 'Zählerstand senden' }).click()
    const unsent = page.getByRole('region', { name: 'Noch nicht gesendete Ablesungen' })
    await expect(unsent).toContainText(`Zähler 1EBZ${serial} ist nicht mehr in Ihrer Liste`)
    await expect(unsent).toContainText('Ihr Versorger nimmt zu diesem Zähler keine Ablesungen mehr an.')
    await expectAccessible(page)
    await unsent.getByRole('button', { name: 'Verwerfen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Verwerfen' }).click()
    await expect(unsent).toBeHidden()
  })
})

test('who reads English reads the names of the rates in English', async ({ page }) => {
  await page.goto(`/ablesung/${meters.strict.id}`)
  await logIn(page, letters.rosa)
  await expect(page.getByRole('heading', { level: 3, name: 'Consumption 1.8.0' })).toBeVisible()
})

const box = (page: Page, name: RegExp, role: 'textbox' | 'button') =>
  page
    .getByRole(role, { name })
    .first()
    .evaluate((element) => element.getBoundingClientRect().bottom + window.scrollY)

for (const height of [844, 664]) {
  test(`on a phone of ${height} px the counter is in sight, and the button one swipe away`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height })
    await page.goto(`/ablesung/${meters.due.id}`)
    await logIn(page, letters.mehmet)
    await expect(page.getByRole('heading', { level: 1, name: meters.due.number })).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect.poll(() => box(page, /^Zählerstand/, 'textbox')).toBeLessThan(height)
    // A swipe moves the page by about as much as is to be seen of it below the bar.
    await expect.poll(() => box(page, /^Zählerstand senden/, 'button')).toBeLessThan(2 * height - 64)
    // What is folded is there for those who want it.
    await expect(page.getByText('Marktlokation')).toBeHidden()
    await page.getByText('Weitere Angaben').click()
    await expect(page.getByText('Marktlokation')).toBeVisible()
    await page.getByText('Weitere Angaben').click()
    // The help lies over the entry and does not move it.
    const before = await box(page, /^Zählerstand/, 'textbox')
    await page.getByRole('button', { name: 'Wie lese ich diesen Zähler ab?' }).click()
    const help = page.getByRole('dialog', { name: 'Ablesehilfe' })
    await expect(help).toBeVisible()
    // The one at the top: pictures that still come move the one below.
    await help.getByRole('button', { name: 'Schließen' }).first().click()
    await expect(help).toBeHidden()
    expect(await box(page, /^Zählerstand/, 'textbox')).toBe(before)
  })
}

test.describe('a house', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('of twenty meters takes for each its digits and two taps', { tag: '@chromium' }, async ({ page }, info) => {
    test.slow()
    const serial = String(randomInt(1e9, 1e10))
    const account = { id: `k-${serial}`, name: 'Hausmeister', username: `haus.${serial}`, password: `birke-${serial}` }
    // Every third one hangs in another house: the way on stays in the first until that is done.
    const jobs = Array.from({ length: 30 }, (_, index) => ({
      accountId: account.id,
      id: `${serial}-${String(index).padStart(2, '0')}`,
      meter: {
        meterNumber: `8HYD${String(index).padStart(2, '0')}${serial.slice(2)}`,
        meterAddress: {
          street: 'Lindenweg',
          houseNumber: index % 3 === 2 ? '14' : '12',
          zip: '99999',
          city: 'Birkenfurt',
          locationDescription: `Wohnung ${index + 1}`,
        },
        meterRateTasks: [{ taskId: 'wasser', obis: '8-0:1.0.0', preDecimals: 5, postDecimals: 0 }],
      },
      jobConstraints: { earliestExecution: day(-10), latestExecution: day(30) },
    }))
    const [accountFile, jobFile] = [info.outputPath('accounts.jsonl'), info.outputPath('jobs.jsonl')]
    writeFileSync(accountFile, JSON.stringify({ ...account, language: 'de-FORMAL' }))
    writeFileSync(jobFile, jobs.map((job) => JSON.stringify(job)).join('\n'))
    const tenant = ['--tenant', 'birkenfurt']
    await operate('accounts', 'import', accountFile, ...tenant, '--letters', info.outputPath('letters.jsonl'))
    await operate('jobs', 'import', jobFile, ...tenant)

    await page.goto('/ablesung')
    await logIn(page, account)
    const house = jobs
      .filter(({ meter }) => meter.meterAddress.houseNumber === '12')
      .map(({ meter }) => meter.meterNumber)
    await page.getByRole('link', { name: new RegExp(house[0] ?? '') }).tap()
    const value = page.getByRole('textbox', { name: /^Zählerstand/ })
    await value.tap()
    let taps = 0
    for (const [index, number] of house.entries()) {
      await expect(page.getByRole('heading', { level: 1, name: number })).toBeInViewport()
      await expect(value).toBeFocused()
      await expect(value).toBeInViewport()
      await page.keyboard.type('00123')
      await page.getByRole('button', { name: 'Zählerstand senden' }).tap()
      const next = page.getByRole('link', { name: /^Nächster Zähler/ })
      await expect(next).toBeInViewport({ ratio: 1 })
      await expect(page.getByText(`Noch ${29 - index} Zähler sind abzulesen.`)).toBeVisible()
      taps += 2
      if (index < house.length - 1) await next.tap()
    }
    expect(taps).toBe(40)
    // The house is done: on with the other one, or back to the list.
    await expect(page.getByRole('link', { name: /^Nächster Zähler/ })).toContainText('Lindenweg 14')
    await page.getByRole('link', { name: 'Zur Übersicht' }).tap()
    await expect(page.getByText('20 von 30 abgelesen')).toBeVisible()
  })
})
