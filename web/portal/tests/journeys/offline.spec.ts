import { fileURLToPath } from 'node:url'
import type { Page, Route } from '@playwright/test'
import edge from '../../../../functions/testing/recorded/edge.json' with { type: 'json' }
import { letters } from '../demo.ts'
import { expectInstalled, expectKept, expectNothingKept, expectSeen, WITH_PHOTO } from '../device.ts'
import { type Job, jobsOf, plausible, readings, wasOpen } from '../ledger.ts'
import { expect, expectAccessible, follow, logIn, refusedWith, test, widerBy } from '../portal.ts'
import { ageSessions, endSessions } from '../sessions.ts'

const PHOTO = fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))
const { manager, mehmet } = letters

const NO_NETWORK = /net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED)|CORS request did not succeed/

test.use({ expectedErrors: [NO_NETWORK] })

/** Open meters of the manager with one rate; each journey has a stretch of its own. */
async function meters(request: Parameters<typeof jobsOf>[0], from: number, count: number): Promise<Job[]> {
  const open = (await jobsOf(request, manager))
    .filter((job) => wasOpen(job) && job.meter.meterRateTasks.length === 1)
    .toSorted((a, b) => b.id.localeCompare(a.id))
  return open.slice(from, from + count)
}

/** A reading and its photo, entered on the page of the meter; not sent. */
async function enter(page: Page, job: Job, photo = false): Promise<void> {
  await follow(page, `/ablesung/${encodeURIComponent(job.id)}`)
  await expect(page.getByRole('heading', { level: 1, name: job.meter.meterNumber })).toBeVisible()
  await page
    .getByRole('textbox', { name: /^Zählerstand/ })
    .first()
    .pressSequentially(plausible(job))
  if (!photo) return
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Foto hinzufügen' }).click()
  await (await chooser).setFiles(PHOTO)
  await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
}

const send = (page: Page) => page.getByRole('button', { name: 'Zählerstand senden' }).click()
const panel = (page: Page) => page.getByRole('region', { name: 'Noch nicht gesendete Ablesungen' })
const queued = (page: Page) => page.getByRole('heading', { name: 'Bereits abgelesen' })
const arrived = (page: Page) => page.getByRole('heading', { name: 'Abgelesen', exact: true })
const notices = (page: Page) => page.getByRole('region', { name: 'Meldungen' }).locator('> *')
const logo = (page: Page) => page.getByRole('banner').locator('img')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keine Internetverbindung' })

async function open(page: Page, letter: { username: string; password: string }): Promise<void> {
  await page.goto('/ablesung')
  await logIn(page, letter)
  await expect(page.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toBeVisible()
}

/** Closing the page asks while something waits; these journeys mean it. */
const leaveWithoutAsking = (page: Page) => page.on('dialog', (question) => void question.accept())

test('without a network readings wait, and go in their order when it is back', { tag: '@firefox' }, async ({
  page,
  context,
  request,
}) => {
  test.slow()
  const [first, second] = await meters(request, 0, 2)
  if (!first || !second) throw new Error('the manager has no open meters')
  await open(page, manager)
  await context.setOffline(true)
  await expect(page.getByText(/Kein Internet$/)).toBeVisible()
  await expect(page.getByText('Ablesungen können weiterhin durchgeführt werden.')).toBeVisible()

  await enter(page, first, true)
  await send(page)
  // D-OUTBOX-10: one message, which says what happens.
  await expect(dialog(page)).toContainText('Senden fehlgeschlagen: Ihre Ablesung ist auf diesem Gerät gespeichert')
  await expect(notices(page)).toHaveCount(0)
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Verstanden' }).click()
  await expect(queued(page)).toBeVisible()
  await expect(page.getByText('Das Ergebnis wird gesendet, sobald eine Verbindung besteht.')).toBeVisible()
  await page.getByLabel('Zähler suchen').fill(first.meter.meterNumber)
  await expect(
    page.getByRole('navigation', { name: 'Zähler' }).getByText('Bereits abgelesen, wird gesendet'),
  ).toBeVisible()
  await expect(panel(page)).toContainText('1 Ablesung wartet auf das Senden')
  await expectAccessible(page)

  await enter(page, second)
  await send(page)
  await expect(panel(page)).toContainText('2 Ablesungen warten auf das Senden')
  await expect(dialog(page)).toBeHidden()
  await expect(notices(page)).toHaveCount(1)
  await expect(notices(page)).toContainText('2 Ablesungen sind auf diesem Gerät gespeichert und')

  const retry = panel(page).getByRole('button', { name: 'Jetzt senden' })
  const begin = Date.now()
  await retry.click()
  await expect(panel(page).getByRole('alert')).toContainText('Das Senden hat nicht geklappt.')
  expect(Date.now() - begin).toBeGreaterThan(1_900)

  await context.setOffline(false)
  await expect(page.getByText('Internet verfügbar')).toBeVisible()
  await expect(page.getByText('2 Ablesungen werden synchronisiert.')).toBeVisible()
  await expect(arrived(page)).toBeVisible()
  await expect(panel(page)).toBeHidden()
  expect(readings(await jobsOf(request, manager), [first.id, second.id])).toEqual([
    [first.id, plausible(first).replace(',', '.'), 1],
    [second.id, plausible(second).replace(',', '.'), 0],
  ])

  // D-PORTAL-6: a notice is in the dialog that is open, and within reach.
  await page.getByRole('button', { name: 'Teilen' }).first().click()
  const sharing = page.getByRole('dialog')
  await expect(sharing.getByRole('heading').first()).toBeVisible()
  await context.setOffline(true)
  await expect(sharing.getByText(/Kein Internet$/)).toBeVisible()
  await expectAccessible(page)
  await notices(page).getByRole('button', { name: 'Schließen' }).click()
  await expect(page.getByText(/Kein Internet$/)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(sharing).toBeHidden()
  await context.setOffline(false)
  await expect(page.getByText('Alle Funktionen stehen wieder zur Verfügung.')).toBeVisible()
})

// D-OUTBOX-11
test('the browser is asked to keep what waits', { tag: '@chromium' }, async ({ page, context, request }) => {
  const [job] = await meters(request, 8, 1)
  if (!job) throw new Error('the manager has no open meters')
  await page.addInitScript(() => {
    Object.assign(navigator.storage, {
      persist: () => {
        Object.assign(window, { wasAsked: true })
        return Promise.resolve(true)
      },
    })
  })
  const wasAsked = () => page.evaluate(() => 'wasAsked' in window)
  await open(page, manager)
  await enter(page, job)
  expect(await wasAsked()).toBe(false)
  await context.setOffline(true)
  await send(page)
  await expect(dialog(page)).toBeVisible()
  await expect.poll(wasAsked).toBe(true)
})

const RESULT = '**/meterRateTask/result'
const CUTS: [step: string, address: string | RegExp, cut: (route: Route) => Promise<void>][] = [
  ['the permission to send a photo', '**/api/pro/upload', (route) => route.abort()],
  ['the photo', /\/uploads\//, (route) => route.abort()],
  ['the reading', RESULT, (route) => route.abort()],
  [
    "the server's answer",
    RESULT,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
  ],
]

for (const [index, [step, address, cut]] of CUTS.entries()) {
  const details = step === "the server's answer" ? { tag: '@chromium' } : {}
  test(
    `when the connection is lost over ${step}, the reading arrives once all the same`,
    details,
    async ({ page, request }) => {
      const [job] = await meters(request, 2 + index, 1)
      if (!job) throw new Error('the manager has no open meters')
      leaveWithoutAsking(page)
      // By itself the portal tries again after five seconds; here nothing goes before the button is pressed.
      await page.clock.setFixedTime(Date.now())
      await open(page, manager)
      await enter(page, job, true)
      await page.route(address, cut, { times: 1 })
      await send(page)
      await expect(page.getByText('Senden fehlgeschlagen')).toBeVisible()
      await expect(queued(page)).toBeVisible()
      await page.reload()
      // What waits for a photo that did not get through is tried once by each page: it may be in another network.
      if (step !== 'the photo') {
        await expect(queued(page)).toBeVisible()
        await panel(page).getByRole('button', { name: 'Jetzt senden' }).click()
      }
      await expect(arrived(page)).toBeVisible()
      await expect(page.getByRole('img', { name: /^Foto 1 zum Zählerstand/ })).toBeVisible()
      await page.reload()
      await expect(arrived(page)).toBeVisible()
      expect(readings(await jobsOf(request, manager), [job.id])).toEqual([
        [job.id, plausible(job).replace(',', '.'), 1],
      ])
    },
  )
}

test.describe('while somebody in between answers', () => {
  test.use({ expectedErrors: [new RegExp(`${NO_NETWORK.source}|${refusedWith(403).source}`)] })

  const PAGES: [who: string, page: { status: number; body: string }][] = [
    ['a firewall', { status: edge.firewallDefault.status, body: edge.firewallDefault.body }],
    ['the login page of a network', { status: 200, body: '<form action="/login"><input></form>' }],
  ]
  // D-OUTBOX-8
  for (const [index, [who, answer]] of PAGES.entries()) {
    test(`${who}: what was read waits, and goes by itself in its order`, async ({ page, request }) => {
      test.slow()
      const jobs = await meters(request, 14 + 2 * index, 2)
      const [first, second] = jobs
      if (!first || !second) throw new Error('the manager has no open meters')
      await open(page, manager)
      const calls = /\/(api|auth)\//
      await page.route(calls, (route) => route.fulfill({ ...answer, contentType: 'text/html' }))
      await queueIn(page, first)
      await enter(page, second)
      await send(page)
      await expect(panel(page)).toContainText('2 Ablesungen warten auf das Senden')
      await expect(panel(page)).not.toContainText('nicht angenommen')
      const sent: string[] = []
      page.on('response', (call) => {
        if (call.url().endsWith('/result') && call.headers()['content-type'] === 'application/json')
          sent.push(call.url())
      })
      await page.unroute(calls)
      // The portal looks every five seconds while something waits.
      await expect(panel(page)).toBeHidden()
      expect(sent.map((url) => jobs.findIndex(({ id }) => url.includes(encodeURIComponent(id))))).toEqual([0, 1])
      const ids = jobs.map(({ id }) => id)
      expect(readings(await jobsOf(request, manager), ids).map(([id]) => id)).toEqual(ids)
    })
  }
})

test.describe('where photos do not get through', () => {
  test.use({ expectedErrors: [new RegExp(`${NO_NETWORK.source}|${refusedWith(413).source}`)] })

  const isOfStore = ({ pathname }: URL) => !/^\/(?:api|auth|assets)\//.test(pathname)

  // D-OUTBOX-5
  test('one reading waits for its photo and can go without it, and the others go', async ({ page, request }) => {
    test.slow()
    const [first, second] = await meters(request, 18, 2)
    if (!first || !second) throw new Error('the manager has no open meters')
    await open(page, manager)
    await page.route(isOfStore, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Too large</h1>' })
        : route.fallback(),
    )
    await enter(page, first, true)
    await send(page)
    await expect(queued(page)).toBeVisible()
    await expect(page.getByText(/^Die Ablesung wartet auf ihr Foto, das in diesem Netz nicht ankommt\./)).toBeVisible()
    const notice = page.getByRole('alert').filter({ hasText: 'Senden fehlgeschlagen' })
    await expect(notice).toContainText('Worauf sie wartet, steht bei dem Zähler.')
    await expect(page.getByRole('navigation', { name: 'Zähler' })).toContainText('Abgelesen, Foto kommt nicht an')
    await expect(panel(page)).toContainText(
      `Das Foto zu Zähler ${first.meter.meterNumber} kommt in diesem Netz nicht an.`,
    )
    await page.getByRole('button', { name: 'Sprache wechseln zu Deutsch (Du)' }).click()
    // What was said in another language is gone at once, and not after its ten seconds.
    await expect(notice).toBeHidden({ timeout: 2000 })
    await page.getByRole('button', { name: 'Sprache wechseln zu English' }).click()
    await page.getByRole('button', { name: 'Switch language to Deutsch', exact: true }).click()
    await expectAccessible(page)
    await enter(page, second)
    await send(page)
    await expect(arrived(page)).toBeVisible()

    await follow(page, `/ablesung/${encodeURIComponent(first.id)}`)
    await expect(page.getByText(/^Ohne das Foto geht es auch/)).toBeVisible()
    await page.getByRole('button', { name: 'Ändern' }).click()
    await page.getByRole('button', { name: 'Foto 1 entfernen' }).click()
    await send(page)
    await expect(arrived(page)).toBeVisible()
    await expect(panel(page)).toBeHidden()
  })

  // D-OUTBOX-5
  test('a reading whose photo is tried once more can be changed at once', async ({ page, request }) => {
    const [job] = await meters(request, 20, 1)
    if (!job) throw new Error('the manager has no open meters')
    await open(page, manager)
    const held: Route[] = []
    let isRetried = false
    await page.route(isOfStore, (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      if (!isRetried) return route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Too large</h1>' })
      held.push(route)
    })
    await enter(page, job, true)
    await send(page)
    await expect(queued(page)).toBeVisible()
    isRetried = true
    await panel(page).getByRole('button', { name: 'Jetzt senden' }).click()
    await expect.poll(() => held.length).toBe(1)
    await page.getByRole('button', { name: 'Ändern' }).click()
    await page.getByRole('button', { name: 'Foto 1 entfernen' }).click({ timeout: 5000 })
    await send(page)
    await expect(arrived(page)).toBeVisible()
    await expect(panel(page)).toBeHidden()
  })
})

test('two tabs send everything once', async ({ page, context, request }) => {
  test.slow()
  const jobs = await meters(request, 6, 3)
  const [first, second, third] = jobs
  if (!first || !second || !third) throw new Error('the manager has no open meters')
  const sent: string[] = []
  context.on('request', (call) => call.url().endsWith('/result') && sent.push(call.url()))
  await open(page, manager)
  const other = await context.newPage()
  await other.goto('/ablesung')
  await expect(other.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toBeVisible()
  await context.setOffline(true)
  await queueIn(page, first)
  await queueIn(other, second)
  // The dialog has been seen.
  await enter(page, third)
  await send(page)
  await expect(queued(page)).toBeVisible()
  await expect(panel(other)).toContainText('3 Ablesungen warten auf das Senden')
  sent.length = 0
  await context.setOffline(false)
  await expect(panel(page)).toBeHidden()
  await expect(panel(other)).toBeHidden()
  await expect(arrived(page)).toBeVisible()
  await expect(arrived(other)).toBeVisible()
  expect(sent).toHaveLength(3)
  expect(
    readings(
      await jobsOf(request, manager),
      jobs.map(({ id }) => id),
    ).map(([id]) => id),
  ).toEqual(jobs.map(({ id }) => id))
})

async function closeDialog(page: Page): Promise<void> {
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
}

async function queueIn(page: Page, job: Job): Promise<void> {
  await enter(page, job)
  await send(page)
  await closeDialog(page)
  await expect(queued(page)).toBeVisible()
}

test.describe('with a login that has ended meanwhile', () => {
  test.use({ expectedErrors: [new RegExp(`${NO_NETWORK.source}|${refusedWith(401).source}`)] })

  test('the reading stays, and goes after the next login of the same account', async ({ page, request }) => {
    const [job] = await meters(request, 9, 1)
    if (!job) throw new Error('the manager has no open meters')
    leaveWithoutAsking(page)
    await open(page, manager)
    const calls = /\/(api|auth)\//
    await page.route(calls, (route) => route.abort())
    await queueIn(page, job)
    await endSessions(page, request)
    // The portal comes from the server, everything else from the device.
    await page.reload()
    await expect(panel(page)).toContainText('1 Ablesung wartet auf das Senden')
    await page.unroute(calls)
    await panel(page).getByRole('button', { name: 'Jetzt senden' }).click()
    await expect(page.getByText('Zugang abgelaufen')).toBeVisible()
    await expect(page.getByText('Auf diesem Gerät wartet 1 Ablesung.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Zählerstand melden' })).toBeVisible()
    await expectAccessible(page)

    await logIn(page, mehmet)
    await expect(page.getByRole('button', { name: 'Benutzermenü' })).toBeVisible()
    await expect(panel(page)).toBeHidden()
    expect(readings(await jobsOf(request, manager), [job.id])).toEqual([])
    await page.goto(`/m/${manager.token}`)
    // The jobs arrive although a reading goes while they are fetched.
    await expect(page.getByRole('main').getByRole('link', { name: 'Jetzt ablesen' })).toBeVisible()
    await expect(async () => {
      expect(readings(await jobsOf(request, manager), [job.id])).toHaveLength(1)
    }).toPass()
  })
})

test.describe('with an access that has ended meanwhile', () => {
  test.use({ expectedErrors: [new RegExp(`${NO_NETWORK.source}|${refusedWith(401).source}`)] })

  // D-SECURITY-5
  test('what nobody can send any more can be discarded', async ({ page, request }) => {
    const [job, other] = await meters(request, 11, 2)
    if (!job || !other) throw new Error('the manager has no open meters')
    leaveWithoutAsking(page)
    await open(page, manager)
    const calls = /\/(api|auth)\//
    await page.route(calls, (route) => route.abort())
    await enter(page, job, true)
    await send(page)
    await closeDialog(page)
    await enter(page, other)
    await expectKept(page, other.id)
    await endSessions(page, request)
    await page.unroute(calls)
    await page.reload()
    await expect(panel(page)).toContainText('Auf diesem Gerät wartet 1 Ablesung.')
    await expect(panel(page)).not.toContainText(job.meter.meterNumber)
    await panel(page).getByRole('button', { name: 'Verwerfen' }).click()
    const question = page.getByRole('dialog', { name: 'Alles verwerfen?' })
    await expect(question).toContainText('1 Ablesung wird von diesem Gerät gelöscht und nicht gesendet.')
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Behalten' }).click()
    await expect(panel(page)).toBeVisible()
    await panel(page).getByRole('button', { name: 'Verwerfen' }).click()
    await question.getByRole('button', { name: 'Verwerfen' }).click()
    await expect(panel(page)).toBeHidden()
    await expectNothingKept(page)
  })

  // D-SECURITY-5
  test('what was only begun can be discarded, too', async ({ page, request }) => {
    const [job] = await meters(request, 11, 1)
    if (!job) throw new Error('the manager has no open meters')
    leaveWithoutAsking(page)
    await open(page, manager)
    await enter(page, job, true)
    await expectKept(page, WITH_PHOTO)
    await endSessions(page, request)
    await page.reload()
    await expect(panel(page)).toContainText('Auf diesem Gerät ist 1 Ablesung begonnen.')
    await expect(panel(page)).not.toContainText(job.meter.meterNumber)
    await expectAccessible(page)
    await panel(page).getByRole('button', { name: 'Verwerfen' }).click()
    const question = page.getByRole('dialog', { name: 'Alles verwerfen?' })
    await expect(question).toContainText('1 begonnene Ablesung wird von diesem Gerät gelöscht.')
    await question.getByRole('button', { name: 'Verwerfen' }).click()
    await expect(panel(page)).toBeHidden()
    await expectNothingKept(page)
  })
})

// D-SECURITY-5
test('what a login of another tab still sends is not discarded, also where the device had no room for the login', async ({
  page,
  context,
  request,
}) => {
  const [job] = await meters(request, 21, 1)
  if (!job) throw new Error('the manager has no open meters')
  leaveWithoutAsking(page)
  await page.addInitScript(() => {
    const put = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put')?.value as IDBObjectStore['put']
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...values: Parameters<typeof put>) {
      if (this.name === 'sessions') throw new DOMException('no room', 'QuotaExceededError')
      return put.apply(this, values)
    }
  })
  await open(page, manager)
  const calls = /\/(api|auth)\//
  await page.route(calls, (route) => route.abort())
  await queueIn(page, job)
  const other = await context.newPage()
  await other.goto('/ablesung')
  await panel(other).getByRole('button', { name: 'Verwerfen' }).click()
  const question = other.getByRole('dialog', { name: 'Alles verwerfen?' })
  await question.getByRole('button', { name: 'Verwerfen' }).click()
  await expect(question).toBeHidden()
  await page.unroute(calls)
  await panel(page).getByRole('button', { name: 'Jetzt senden' }).click()
  await expect(arrived(page)).toBeVisible()
  await expect(panel(other)).toBeHidden()
  expect(readings(await jobsOf(request, manager), [job.id])).toHaveLength(1)
})

// D-OUTBOX-6
test('logging out asks while something has not been sent', async ({ page, context, request }) => {
  const [job] = await meters(request, 10, 1)
  if (!job) throw new Error('the manager has no open meters')
  await open(page, manager)
  await context.setOffline(true)
  await queueIn(page, job)
  const question = page.getByRole('dialog', { name: 'Noch nicht alles gesendet' })
  const logOut = async () => {
    await page.getByRole('button', { name: 'Benutzermenü' }).click()
    await page.getByRole('button', { name: 'Abmelden' }).click()
  }
  await logOut()
  await expect(question).toContainText('1 Ablesung ist noch nicht gesendet.')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Angemeldet bleiben' }).click()
  await expect(panel(page)).toContainText('1 Ablesung wartet')
  await logOut()
  await question.getByRole('button', { name: 'Löschen und abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  await expectNothingKept(page)
  await context.setOffline(false)
  await logIn(page, manager)
  await expect(page.getByRole('button', { name: 'Benutzermenü' })).toBeVisible()
  expect(readings(await jobsOf(request, manager), [job.id])).toEqual([])
})

test.describe('with a meter that is no longer shown', () => {
  test.use({ expectedErrors: [new RegExp(`${NO_NETWORK.source}|${refusedWith(404).source}`)] })

  // D-OUTBOX-1
  test('its reading can be discarded where it is said to be refused', async ({ page, context, request }) => {
    const [job] = await meters(request, 10, 1)
    if (!job) throw new Error('the manager has no open meters')
    leaveWithoutAsking(page)
    await open(page, manager)
    await context.setOffline(true)
    await queueIn(page, job)
    await page.route('**/result', (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        body: '{"code":"not-found","status":404}',
      }),
    )
    await page.route(/\/api\/pro\/job\?/, async (route) => {
      const answer = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
      const { jobs, ...rest } = (await answer.json()) as { jobs: Job[] }
      await route.fulfill({ response: answer, json: { ...rest, jobs: jobs.filter(({ id }) => id !== job.id) } })
    })
    await context.setOffline(false)
    await expect(panel(page)).toContainText('1 Ablesung wurde nicht angenommen')
    await expect(panel(page)).toContainText(`Zähler ${job.meter.meterNumber} ist nicht mehr in Ihrer Liste`)
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await widerBy(page)).toBeLessThanOrEqual(0)
    }
    await expectAccessible(page)
    await panel(page).getByRole('button', { name: 'Verwerfen' }).click()
    const question = page.getByRole('dialog', { name: 'Ablesung verwerfen?' })
    await question.getByRole('button', { name: 'Verwerfen' }).click()
    await expect(panel(page)).toBeHidden()
  })
})

// D-OUTBOX-6
test('whoever deletes and logs out waits for nothing that is being sent', async ({ page, context, request }) => {
  const jobs = await meters(request, 10, 2)
  await open(page, manager)
  await context.setOffline(true)
  for (const [index, job] of jobs.entries()) {
    await enter(page, job)
    await send(page)
    if (index === 0) await closeDialog(page)
    await expect(queued(page)).toBeVisible()
  }
  const held: Route[] = []
  await page.route('**/result', (route) => void held.push(route))
  await context.setOffline(false)
  await expect.poll(() => held.length).toBe(1)
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await page.getByRole('button', { name: 'Löschen und abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible({ timeout: 5000 })
  await expect(panel(page)).toBeHidden({ timeout: 5000 })
  await logIn(page, manager)
  await expect(page.getByRole('button', { name: 'Benutzermenü' })).toBeVisible()
  await expect(panel(page)).toBeHidden()
  expect(held).toHaveLength(1)
})

test('what was typed outlives a reload, with its photo, and not a logout', { tag: '@firefox' }, async ({
  page,
  request,
}) => {
  const [job] = await meters(request, 11, 1)
  if (!job) throw new Error('the manager has no open meters')
  const value = page.getByRole('textbox', { name: /^Zählerstand/ }).first()
  await open(page, manager)
  await enter(page, job, true)
  await expectKept(page, `"pre":"${plausible(job).split(',')[0]}"`, WITH_PHOTO)
  await page.reload()
  await expect(value).toHaveValue(plausible(job).split(',')[0] ?? '')
  await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await logIn(page, manager)
  await expect(page.getByRole('button', { name: 'Benutzermenü' })).toBeVisible()
  await page.goto(`/ablesung/${encodeURIComponent(job.id)}`)
  await expect(value).toHaveValue('')
})

// D-OUTBOX-7
test('a device without room says so, keeps what was typed, and still sends', async ({ page, context, request }) => {
  const [job] = await meters(request, 12, 1)
  if (!job) throw new Error('the manager has no open meters')
  await open(page, manager)
  await fillStorage(page)
  await enter(page, job)
  const warning = page.getByRole('alert').filter({ hasText: 'Nicht auf diesem Gerät gesichert' })
  await expect(warning).toBeVisible()
  await context.setOffline(true)
  await send(page)
  await expect(page.getByText('Senden fehlgeschlagen')).toBeVisible()
  await expect(warning).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^Zählerstand/ }).first()).not.toHaveValue('')
  await expectAccessible(page)
  await context.setOffline(false)
  await send(page)
  await expect(arrived(page)).toBeVisible()
  expect(readings(await jobsOf(request, manager), [job.id])).toHaveLength(1)
})

/** Chromium's own limit cannot be lowered for a test; what it answers at the limit is this. */
const fillStorage = (page: Page) =>
  page.evaluate(() => {
    const refuse = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    Object.assign(IDBObjectStore.prototype, { put: refuse, add: refuse })
  })

test.describe('installed', () => {
  test.use({ serviceWorkers: 'allow' })

  // D-SECURITY-5
  test('of a login that was not renewed for 30 days nothing is to be seen without a network', async ({
    page,
    context,
  }) => {
    await open(page, manager)
    await expectInstalled(page)
    await expectSeen(page, '"tag/')
    await ageSessions(page, 31)
    await page.close()
    await context.setOffline(true)
    const cold = await context.newPage()
    await cold.goto('/ablesung')
    await expect(cold.getByText(/Zugang abgelaufen$/)).toBeVisible()
    await expect(cold.getByLabel('Benutzername')).toBeVisible()
    await expect(cold.getByRole('navigation', { name: 'Zähler' })).toHaveCount(0)
  })

  test('the portal opens from cold without a network, and sends what was read there', { tag: '@firefox' }, async ({
    page,
    context,
    request,
  }) => {
    test.slow()
    const [job] = await meters(request, 13, 1)
    if (!job) throw new Error('the manager has no open meters')
    await open(page, manager)
    await expectInstalled(page)
    const cached = await page.evaluate(async () => {
      const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
      return (await Promise.all(opened.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname)
    })
    expect(cached).toContain('/index.html')
    // D-START-4
    expect(cached.filter((path) => path.includes('/sharing-'))).toEqual([])
    expect(cached.filter((path) => /^\/(api|auth)\//.test(path))).toEqual([])
    await expectSeen(page, '/logo.png')
    // It comes after the jobs.
    await expectSeen(page, '"tag/')
    await page.close()

    await context.setOffline(true)
    const cold = await context.newPage()
    leaveWithoutAsking(cold)
    await cold.goto(`/ablesung/${encodeURIComponent(job.id)}`)
    await expect(cold.getByRole('heading', { level: 1, name: job.meter.meterNumber })).toBeVisible()
    // The tenant's logo, as it was seen last.
    await expect(logo(cold)).toHaveAttribute('src', /^blob:/)
    await expect.poll(() => logo(cold).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await cold
      .getByRole('textbox', { name: /^Zählerstand/ })
      .first()
      .pressSequentially(plausible(job))
    await send(cold)
    await closeDialog(cold)
    await expect(queued(cold)).toBeVisible()
    await cold.reload()
    await expect(queued(cold)).toBeVisible()
    // Neither was opened before (D-START-4).
    await cold.goto('/auswertung')
    await expect(cold).toHaveTitle(/^Auswertung/)
    await expect(cold.getByRole('navigation', { name: 'Zähler' })).toBeVisible()
    await cold.goto('/ablesung/neu')
    await expect(cold.getByLabel('Zählernummer')).toBeVisible()
    await cold.goto(`/ablesung/${encodeURIComponent(job.id)}`)
    await context.setOffline(false)
    await expect(arrived(cold)).toBeVisible()
    await expect(logo(cold)).toHaveAttribute('src', /logo\.png/)
    expect(readings(await jobsOf(request, manager), [job.id])).toHaveLength(1)
  })
})
