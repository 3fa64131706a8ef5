import { SWRConfig } from 'swr'
import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { LettersPage as Shown } from './letters-page.tsx'

/** Which seasons there are, and what ran. */
const server = { seasons: [] as { id: string; name: string }[], runs: [] as unknown[] }

const DUE = {
  id: 'r1',
  what: 'DUE_INVITATIONS',
  state: 'DONE',
  by: 'Jonas Reuter',
  askedAt: '2026-11-26T10:00:00Z',
  files: [],
  mails: { due: 0 },
}

const realFetch = globalThis.fetch
let LettersPage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/letters')) return Response.json({ seasons: server.seasons, runs: server.runs })
    if (!pathname.startsWith('/api/desk/')) return realFetch(request)
    const end = new Date(Date.now() + 3_600_000).toISOString()
    return Response.json({ id: 'm1', name: 'Jonas Reuter', memberships: [], idleUntil: end, endsAt: end, returned: [] })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['letters', 'runs', 'desk', 'parts', 'common'])
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  ;({ LettersPage } = await import('./letters-page.tsx'))
})

async function open() {
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <LettersPage tenant="birkenfurt" />
      </Router>
    </SWRConfig>,
  )
}

const whom = page.getByRole('radiogroup', { name: 'Sie schreiben an' }).getByRole('radio', { checked: true })

test('a tenant without seasons writes to all who have something to read, and is not told of a season', async () => {
  Object.assign(server, { seasons: [], runs: [] })
  await open()
  await expect.element(whom).toHaveAccessibleName('alle, bei denen etwas offen ist')
  await expect.element(page.getByRole('combobox', { name: 'Ablesesaison' })).not.toBeInTheDocument()
})

test('who would be invited is said where it was asked', async () => {
  Object.assign(server, { seasons: [{ id: '2026', name: 'Ablesung 2026' }], runs: [DUE] })
  await open()
  await expect.element(whom).toHaveAccessibleName('die Kunden einer Ablesesaison')
  await expect
    .element(page.getByRole('region', { name: 'Einladungen per E-Mail' }).getByRole('status'))
    .toMatchTextContent(/^Stand vom 26\.11\.2026.*: niemand ist einzuladen$/)
})
