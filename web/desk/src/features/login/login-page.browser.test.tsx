import { afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { LoginPage as Shown } from './login-page.tsx'

const before = location.href
let LoginPage: typeof Shown

beforeAll(async () => {
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['desk', 'common'])
  ;({ LoginPage } = await import('./login-page.tsx'))
})

afterEach(() => history.replaceState(null, '', before))

test('whoever opens an invitation hears that it waits behind the login, and where the first password is', async () => {
  history.replaceState(null, '', '/invitation/birkenfurt/token')
  const { rerender } = await render(<LoginPage error={undefined} />)
  await expect
    .element(page.getByText(/^Ihre Einladung wartet .* vorläufiges Passwort mit einer eigenen E-Mail/))
    .toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Anmelden' }))
    .toHaveAttribute('href', '/desk/login?return=%2Finvitation%2Fbirkenfurt%2Ftoken&tenant=birkenfurt')
  history.replaceState(null, '', '/t/birkenfurt/customers')
  await rerender(<LoginPage error={undefined} />)
  await expect.element(page.getByText(/^Ihre Einladung/)).not.toBeInTheDocument()
})
