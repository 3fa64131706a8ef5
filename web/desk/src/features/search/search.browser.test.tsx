import { SWRConfig } from 'swr'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { FoundCustomer } from '@/data/types.ts'
import type { Search as Shown } from './search.tsx'

const ANNA: FoundCustomer = { account: 'k-1', name: 'Anna Sommer' }

/** What words find; what they do not is refused as too general. */
const found: Record<string, { customers: FoundCustomer[]; nextCursor: string | null }> = {}
const asked: string[] = []

async function respond(request: Request): Promise<Response> {
  const { words, cursor } = (await request.json()) as { words: string; cursor?: string }
  asked.push(words)
  const answer = cursor === undefined ? found[words] : undefined
  if (answer) return Response.json(answer)
  return new Response(JSON.stringify({ status: 400, code: 'search-too-broad' }), {
    status: 400,
    headers: { 'content-type': 'application/problem+json' },
  })
}

const realFetch = globalThis.fetch
let Search: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.endsWith('/search') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['search', 'common'])
  ;({ Search } = await import('./search.tsx'))
})

beforeEach(() => {
  found['Sommer'] = { customers: [ANNA], nextCursor: null }
  asked.length = 0
})

afterEach(cleanup)

/** Opens the search; the result tells where one is since. */
async function open(): Promise<string[]> {
  const { hook, searchHook, history } = memoryLocation({ path: '/', record: true })
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <Search tenant="birkenfurt" />
      </Router>
    </SWRConfig>,
  )
  return history
}

const anna = page.getByRole('option', { name: /Anna Sommer/ })

test('words that are refused open nobody whom other words found', async () => {
  const history = await open()
  await page.getByRole('combobox').fill('Sommer')
  await expect.element(anna).toBeVisible()
  await page.getByRole('combobox').fill('GmbH')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(anna).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  expect(asked).toEqual(['Sommer', 'GmbH'])
  expect(history).toEqual(['/'])
})

test('Enter before the answer opens the one customer whom these words find', async () => {
  const history = await open()
  await page.getByRole('combobox').fill('Sommer')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => history).toEqual(['/', '/t/birkenfurt/customers/k-1'])
})

test('who was found stays when the others cannot be had', async () => {
  found['Sommer'] = { customers: [ANNA], nextCursor: 'more' }
  const history = await open()
  await page.getByRole('combobox').fill('Sommer')
  await page.getByRole('button', { name: 'Weitere zeigen' }).click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await anna.click()
  expect(history).toEqual(['/', '/t/birkenfurt/customers/k-1'])
})
