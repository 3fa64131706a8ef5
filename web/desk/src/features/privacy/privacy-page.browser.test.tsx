import { SWRConfig } from 'swr'
import { beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Erasures } from '@/data/types.ts'
import type { PrivacyPage as Shown } from './privacy-page.tsx'

const ERASURES: Erasures = { open: [], done: [], holds: [], isHeld: false, needsSecondMember: false }

const realFetch = globalThis.fetch
let PrivacyPage: typeof Shown
let changeLanguage: (language: string) => Promise<void>

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/erasures')) return Response.json(ERASURES)
    if (!pathname.startsWith('/api/desk/')) return realFetch(request)
    return new Response(JSON.stringify({ status: 404, code: 'not-found' }), {
      status: 404,
      headers: { 'content-type': 'application/problem+json' },
    })
  }
  const i18n = await import('@shared/i18n/i18n.ts')
  ;({ changeLanguage } = i18n)
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await i18n.loadTexts(['privacy', 'desk', 'parts', 'common'])
  ;({ PrivacyPage } = await import('./privacy-page.tsx'))
})

test('what was refused is said of the account it was asked for, and no longer beside what is done next', async () => {
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <PrivacyPage tenant="birkenfurt" />
    </SWRConfig>,
  )
  const alert = page.getByRole('alert')
  const field = page.getByRole('textbox')
  const ask = page.getByRole('button', { name: 'Auskunft als PDF' })
  await field.fill('k-99999')
  await ask.click()
  await expect.element(alert).toMatchTextContent('Einen Zugang „k-99999“ gibt es nicht.')
  await changeLanguage('en-FORMAL')
  await expect.element(alert).toMatchTextContent(/k-99999/)
  await expect.element(alert).not.toMatchTextContent('gibt es nicht')
  await changeLanguage('de-FORMAL')
  await field.fill('k-30079')
  await expect.element(alert).not.toBeInTheDocument()
  for (const button of ['Löschen …', 'Löschung sperren …']) {
    await ask.click()
    await expect.element(alert).toMatchTextContent('Einen Zugang „k-30079“ gibt es nicht.')
    await page.getByRole('button', { name: button }).click()
    await expect.element(page.getByRole('dialog')).toBeVisible()
    await expect.element(alert).not.toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
  }
})
