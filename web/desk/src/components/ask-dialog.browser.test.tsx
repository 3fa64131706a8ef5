import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { RolesDialog as Dialog } from '@/features/members/roles-dialog.tsx'

let RolesDialog: typeof Dialog

beforeAll(async () => {
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['members', 'desk'])
  ;({ RolesDialog } = await import('@/features/members/roles-dialog.tsx'))
})

test('who invites somebody at what is no address is led to the address', async () => {
  const reload = async () => undefined
  await render(
    <RolesDialog tenant="birkenfurt" given={['support']} reload={reload} onClose={() => {}} onDone={() => {}} />,
  )
  const email = page.getByLabelText('E-Mail-Adresse')
  await email.fill('x')
  await page.getByRole('checkbox', { name: /Auskunft/ }).click()
  await page.getByRole('button', { name: 'Einladung senden' }).click()
  await expect.element(email).toHaveFocus()
  await expect.element(email).toHaveAccessibleDescription(/wie name@stadtwerke\.de/)
})
