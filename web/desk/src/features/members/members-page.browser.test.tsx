import { beforeAll, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Members } from '@/data/types.ts'
import type { MembersPage as Page } from './members-page.tsx'

const INVITED: Members['invited'][number] = {
  id: 'i1',
  email: 'clara@stadtwerke.example',
  roles: ['lead'],
  invitedBy: 'Anna Sommer',
  expiresAt: '2036-01-01T10:00:00Z',
}

/** What is open, what an invitation is answered by, and what was asked. */
const server = {
  invited: [] as Members['invited'],
  answer: (): Response | Promise<Response> => new Response(),
  asked: [] as unknown[],
}

const realFetch = globalThis.fetch
let MembersPage: typeof Page

const json = (body: unknown, status = 200, type = 'application/json') =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type } })

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.endsWith('/members')) return realFetch(request)
    if (request.method === 'GET')
      return json({ members: [], invited: server.invited, asked: [], roles: ['support', 'clerk', 'lead'] })
    server.asked.push(await request.json())
    return server.answer()
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['members', 'desk', 'parts', 'common'])
  ;({ MembersPage } = await import('./members-page.tsx'))
})

beforeEach(() => {
  server.asked = []
  server.invited = [INVITED]
})

const again = page.getByRole('button', { name: 'Erneut einladen: clara@stadtwerke.example' })

test('an invitation that somebody else took back is not sent again, and the list says so', async () => {
  await render(<MembersPage tenant="taken-back" />)
  await expect.element(again).toBeVisible()
  server.invited = []
  server.answer = () => json({ status: 409, code: 'conflict' }, 409, 'application/problem+json')
  await again.click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Jemand anderes hat diese Einladung inzwischen')
  await expect.element(again).not.toBeInTheDocument()
  expect(server.asked).toEqual([{ email: INVITED.email, roles: ['lead'], again: 'i1' }])
})

test('where the mail does not go out, the link is shown to be handed over', async () => {
  await render(<MembersPage tenant="by-hand" />)
  server.answer = () => json({ link: 'https://desk.example/invitation/by-hand/secret' })
  await again.click()
  const dialog = page.getByRole('dialog', { name: 'Den Link selbst weitergeben' })
  await expect.element(dialog).toMatchTextContent('clara@stadtwerke.example ist eingeladen, aber die E-Mail')
  const link = 'https://desk.example/invitation/by-hand/secret'
  await expect.element(dialog.getByText(link)).toBeVisible()
  // The link would be lost.
  await userEvent.keyboard('{Escape}')
  await dialog.getByRole('button', { name: 'Kopieren' }).click()
  await expect.poll(() => String(getSelection())).toBe(link)
  await dialog.getByRole('button', { name: 'Ich habe ihn weitergegeben' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText(/ist unterwegs/)).not.toBeInTheDocument()
})

test('an address that takes no mail is what is said to be wrong, and no rehearsal', async () => {
  await render(<MembersPage tenant="refused" />)
  server.answer = () => json({ status: 422, code: 'mail-refused' }, 422, 'application/problem+json')
  await again.click()
  await expect.element(page.getByRole('alert').getByText(/^An diese Adresse kann keine E-Mail gehen/)).toBeVisible()
})

test('whoever was invited often enough today is invited another day, and the page says when', async () => {
  await render(<MembersPage tenant="often" />)
  server.answer = () => {
    const refused = json({ status: 429, code: 'too-many-recipients' }, 429, 'application/problem+json')
    refused.headers.set('retry-after', '7200')
    return refused
  }
  await again.click()
  await expect.element(page.getByRole('alert').getByText(/sehr viele E-Mails .* in 2 Stunden/)).toBeVisible()
})

test('a second press while the first one is on its way invites nobody twice', async () => {
  await render(<MembersPage tenant="twice" />)
  let arrive: (answer: Response) => void = () => {}
  server.answer = () =>
    new Promise((resolve) => {
      arrive = resolve
    })
  await again.click()
  await expect.element(again).toHaveAttribute('aria-disabled', 'true')
  await again.click({ force: true })
  arrive(json({}))
  await expect.element(page.getByText('Die Einladung an clara@stadtwerke.example ist unterwegs.')).toBeVisible()
  expect(server.asked).toHaveLength(1)
})

test('who was invited by a command of which nobody is known is told so', async () => {
  server.invited = [{ ...INVITED, invitedBy: 'unknown' }]
  await render(<MembersPage tenant="by-command" />)
  await expect.element(page.getByRole('cell', { name: 'mit einem Befehl' })).toBeVisible()
})
