import { beforeAll, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Tenant } from '@/data/types.ts'
import type { TenantDialog as Dialog } from './tenant-dialog.tsx'

const TENANT: Tenant = {
  tenant: 'neustadt',
  name: 'Stadtwerke Neustadt',
  hosts: ['neustadt.example'],
  portalUrl: 'https://neustadt.example',
  senderEmail: 'zaehler@neustadt.example',
  invited: [],
  leads: 2,
}

const realFetch = globalThis.fetch
const asked: unknown[] = []
let TenantDialog: typeof Dialog

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.endsWith('/api/desk/platform/tenants/neustadt')) return realFetch(request)
    asked.push(await request.json())
    return Response.json({ faults: [] })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['platform'])
  ;({ TenantDialog } = await import('./tenant-dialog.tsx'))
})

test('a utility that sends no mail keeps its hosts, and one that sends some need not', async () => {
  const onDone = vi.fn<(tenant: string) => void>()
  await render(<TenantDialog tenant={TENANT} onClose={() => undefined} onDone={onDone} />)
  const sender = page.getByLabelText('Absender der E-Mails')
  await sender.fill('zaehler')
  await page.getByRole('button', { name: 'Übernehmen' }).click()
  await expect.element(page.getByText('Bitte eine E-Mail-Adresse wie name@stadtwerke.de eingeben.')).toBeVisible()
  await sender.fill('')
  await page.getByRole('button', { name: 'Übernehmen' }).click()
  await expect.poll(() => onDone.mock.calls).toEqual([['neustadt']])
  expect(asked).toEqual([{ hosts: TENANT.hosts, portalUrl: TENANT.portalUrl, senderEmail: '' }])
})
