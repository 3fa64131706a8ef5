import { beforeAll, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Members, Role } from '@/data/types.ts'
import type { RolesDialog as Dialog } from './roles-dialog.tsx'

type Member = Members['members'][number]

const CLARA: Member = {
  id: 'm2',
  name: 'Clara Brandt',
  email: 'clara@stadtwerke.example',
  isMe: false,
  isLockedOut: false,
  roles: ['clerk', 'lead'],
  since: '2026-01-01T10:00:00Z',
  invitedBy: 'Anna Sommer',
}

/** The roles that she has, and what was wanted in their place. */
const server = { roles: ['clerk', 'lead'] as Role[], asked: [] as { seen: Role[]; roles: Role[] }[] }

const realFetch = globalThis.fetch
let RolesDialog: typeof Dialog

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.endsWith('/members/m2')) return realFetch(request)
    const asked = (await request.json()) as { seen: Role[]; roles: Role[] }
    server.asked.push(asked)
    if (asked.seen.join() === server.roles.join()) return new Response(null, { status: 204 })
    return new Response(JSON.stringify({ status: 409, code: 'conflict' }), {
      status: 409,
      headers: { 'content-type': 'application/problem+json' },
    })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['members', 'desk'])
  ;({ RolesDialog } = await import('./roles-dialog.tsx'))
})

test('a role that another lead took away meanwhile does not come back: the boxes show what there is now', async () => {
  const onDone = vi.fn<(email?: string) => void>()
  const now = (): Members => ({ members: [{ ...CLARA, roles: server.roles }], invited: [], asked: [], roles: [] })
  await render(
    <RolesDialog
      tenant="birkenfurt"
      member={CLARA}
      given={['support', 'clerk', 'lead']}
      reload={async () => now()}
      onClose={() => undefined}
      onDone={onDone}
    />,
  )
  const box = (name: RegExp) => page.getByRole('checkbox', { name })
  server.roles = ['clerk']
  await box(/^Auskunft/).click()
  await page.getByRole('button', { name: 'Rollen speichern' }).click()
  await expect.element(page.getByRole('alert').getByText(/Jemand anderes hat diese Rollen/)).toBeVisible()
  await expect.element(box(/^Leitung/)).not.toBeChecked()
  await expect.element(box(/^Auskunft/)).not.toBeChecked()
  await box(/^Auskunft/).click()
  await page.getByRole('button', { name: 'Rollen speichern' }).click()
  await expect.poll(() => onDone.mock.calls).toEqual([[]])
  expect(server.asked).toEqual([
    { seen: ['clerk', 'lead'], roles: ['clerk', 'lead', 'support'] },
    { seen: ['clerk'], roles: ['clerk', 'support'] },
  ])
})
