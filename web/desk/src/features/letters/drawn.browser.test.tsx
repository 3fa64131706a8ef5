import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Run } from '@/data/types.ts'
import type { Drawn as Shown } from './drawn.tsx'

const NONE = { byMail: 0, had: 0, leftOut: 0, questionMarks: 0 }
const DRAWN = {
  id: 'r1',
  what: 'LETTERS',
  state: 'DONE',
  by: 'Jonas Reuter',
  askedAt: '2026-11-26T10:00:00Z',
  filesUntil: '2026-12-26T10:00:00Z',
  files: [],
  letters: { letters: 2, newLogins: 2, ...NONE },
} as unknown as Run

function respond(): Response {
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const lead = { name: 'Stadtwerke', roles: ['lead'] }
  const memberships = [
    { ...lead, tenant: 'rehearsing', isInRehearsal: true },
    { ...lead, tenant: 'operating', isInRehearsal: false },
  ]
  return Response.json({ id: 'm1', name: 'Jonas Reuter', memberships, idleUntil: end, endsAt: end })
}

const realFetch = globalThis.fetch
let Drawn: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond() : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['letters', 'runs', 'common'])
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  ;({ Drawn } = await import('./drawn.tsx'))
})

test('letters of a rehearsal are called back and not handed over', async () => {
  const shown = { runs: [DRAWN], isBusy: false, reload: async () => undefined }
  const { rerender } = await render(<Drawn tenant="rehearsing" {...shown} />)
  await expect.element(page.getByText(/^Im Probebetrieb geht kein Brief hinaus/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Freigeben …' })).toHaveAttribute('aria-disabled', 'true')
  await expect.element(page.getByRole('button', { name: 'Zurückrufen …' })).not.toHaveAttribute('aria-disabled')
  await rerender(<Drawn tenant="operating" {...shown} />)
  await expect.element(page.getByRole('button', { name: 'Freigeben …' })).not.toHaveAttribute('aria-disabled')
  await expect.element(page.getByText(/^Im Probebetrieb/)).not.toBeInTheDocument()
})

test('a hand-over that was stopped does not go on in a rehearsal', async () => {
  const half = { ...DRAWN, lettersEnd: { isHandedOver: true } } as Run
  const shown = { runs: [half], isBusy: false, reload: async () => undefined }
  const { rerender } = await render(<Drawn tenant="rehearsing" {...shown} />)
  const goOn = page.getByRole('button', { name: 'Freigabe fortsetzen …' })
  await expect.element(goOn).toHaveAttribute('aria-disabled', 'true')
  await expect
    .element(goOn)
    .toHaveAccessibleDescription('Solange der Probebetrieb gilt, geht die Freigabe nicht weiter.')
  await expect.element(page.getByText(/MUSTER|Rufen Sie/)).not.toBeInTheDocument()
  await rerender(<Drawn tenant="operating" {...shown} />)
  await expect.element(goOn).not.toHaveAttribute('aria-disabled')
})
