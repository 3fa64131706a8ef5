import { mutate } from 'swr'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { sampleJob } from '@shared/testing/sample-job.ts'

/** What the next requests for receipts are answered: the number of jobs, a problem, or nothing. */
let answers: (number | { status: number; code: string } | 'lost')[] = []
/** Their keys. */
let keys: (string | null)[] = []

function respond({ url, headers }: Request): Response {
  const isForReceipts = url.endsWith('/reading-receipts')
  if (isForReceipts) keys.push(headers.get('Idempotency-Key'))
  const answer = (isForReceipts && answers.shift()) || { status: 404, code: 'not-found' }
  if (answer === 'lost') throw new TypeError('the connection broke')
  return typeof answer === 'number'
    ? Response.json({ jobCount: answer }, { status: 202 })
    : new Response(JSON.stringify(answer), {
        status: answer.status,
        headers: { 'content-type': 'application/problem+json' },
      })
}

const realFetch = globalThis.fetch
let CommunicationDialog: typeof import('./communication-dialog.tsx').CommunicationDialog
let Notifications: typeof import('@shared/ui/notifications.tsx').Notifications
let addSession: typeof import('@/auth/sessions.ts').addSession
let fresh: typeof import('@/auth/access-token.ts').fresh

beforeAll(async () => {
  // The client keeps the fetch that it finds when it is made, so everything that uses it comes afterwards.
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return /\/(api|auth)\//.test(new URL(request.url).pathname) && !/\/(src|shared)\//.test(request.url)
      ? respond(request)
      : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts({ language: 'de-FORMAL', overlay: {} })
  await loadTexts(['communication'])
  ;({ addSession } = await import('@/auth/sessions.ts'))
  ;({ fresh } = await import('@/auth/access-token.ts'))
  ;({ CommunicationDialog } = await import('./communication-dialog.tsx'))
  ;({ Notifications } = await import('@shared/ui/notifications.tsx'))
})

beforeEach(() => {
  answers = []
  keys = []
})

/** What an account sees that is registered, or is not any more. */
function dialog(accountId: string, isRegistered = true) {
  const info = {
    registered: isRegistered,
    currentConfirmedCommunicationTypes: isRegistered ? ['EMAIL' as const] : [],
    selfServiceToken: 'abc',
    registrationUrl: 'https://crm.example.org/start',
  }
  return (
    <>
      <Notifications />
      <CommunicationDialog
        communication={{ accountId, info, isRegistered }}
        trigger="manual"
        onClose={() => undefined}
      />
    </>
  )
}

/** An account with so many done jobs asks for its receipts. */
async function request(accountId: string, done: number) {
  const info = { id: accountId, name: 'Hausverwaltung', parentId: null, parentName: null, language: null }
  const session = { accountId, username: null, login: 'token', roles: [], refreshToken: 'r', info } as const
  await addSession({ ...session, roles: [] }, fresh('h.c.s', 900_000), true)
  const jobs = Array.from({ length: done }, (_, index) => sampleJob({ id: `j${index}`, login: accountId, done: true }))
  await mutate(['/api/pro/job', accountId], jobs, { revalidate: false })
  const screen = await render(dialog(accountId))
  await page.getByRole('button', { name: 'Bestätigung anfordern' }).click()
  return screen
}

test('where all meters have their receipt after a full answer, that is no failure', async () => {
  answers = [500, { status: 409, code: 'receipt-blocked' }]
  await request('even', 500)
  await expect.element(page.getByText(/^Die Bestätigung für 500 Zähler ist unterwegs\.$/)).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
})

test('a failure on the way says how many meters have their receipt', async () => {
  answers = [500, { status: 503, code: 'crm-unavailable' }]
  await request('interrupted', 700)
  const failure = page.getByRole('alert')
  await expect
    .element(failure.getByText(/^Die Bestätigung für 500 Zähler ist unterwegs\. Für die übrigen/))
    .toBeVisible()
  expect(failure.getByText(/^Für 700 Zähler/).elements()).toHaveLength(0)
  await expect
    .element(failure.getByText('Sie können es wieder versuchen, wenn Sie das Portal neu öffnen.'))
    .toBeVisible()
})

test.each<[string, number, (typeof answers)[number]]>([
  ['unanswered', 200, 'lost'],
  ['unavailable', 300, { status: 503, code: 'temporarily-unavailable' }],
])('a request that may have arrived is sent once more under its key: %s', async (accountId, rest, first) => {
  answers = [first, 500, rest]
  await request(accountId, 500 + rest)
  const sent = page.getByText(`Die Bestätigung für ${500 + rest} Zähler ist unterwegs.`, { exact: true })
  await expect.element(sent).toBeVisible()
  expect(keys).toEqual([keys[0], keys[0], keys[2]])
  expect(keys[2]).not.toBe(keys[0])
})

test('that there are receipts already is said alone', async () => {
  answers = [{ status: 409, code: 'receipt-blocked' }]
  await request('receipted', 2)
  const note = page.getByText(/^Zu Ihren Ablesungen wurde schon eine Bestätigung angefordert\./)
  await expect.element(note).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
  expect(page.getByText(/^Die nächste Bestätigung/).elements()).toHaveLength(0)
})

// D-MAILS-8
test('who has to register anew gets the receipt that this promises', async () => {
  answers = [{ status: 409, code: 'registration-missing' }, 2]
  const screen = await request('ended-elsewhere', 2)
  await expect.element(page.getByText(/Ablesebestätigung fehlgeschlagen$/)).toBeVisible()
  await expect
    .element(page.getByText(/^Für 2 Zähler konnte keine Bestätigung gesendet werden\. .* noch keine E-Mail-Adresse/))
    .toBeVisible()
  await screen.rerender(dialog('ended-elsewhere', false))
  await expect.element(page.getByRole('link', { name: /^Registrieren/ })).toBeVisible()
  await screen.rerender(dialog('ended-elsewhere'))
  await expect.element(page.getByText('Die Bestätigung für 2 Zähler ist unterwegs.')).toBeVisible()
  expect(page.getByText(/Ablesebestätigung fehlgeschlagen$/).elements()).toHaveLength(0)
})
