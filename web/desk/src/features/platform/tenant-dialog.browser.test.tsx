import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
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

const SEEN = { hosts: TENANT.hosts, portalUrl: TENANT.portalUrl, senderEmail: TENANT.senderEmail }

const realFetch = globalThis.fetch
const asked: unknown[] = []
/** Another member has it reached otherwise since. */
let isOvertaken = false
let TenantDialog: typeof Dialog

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.endsWith('/api/desk/platform/tenants/neustadt')) return realFetch(request)
    asked.push(await request.json())
    if (isOvertaken)
      return new Response(JSON.stringify({ status: 409, code: 'conflict' }), {
        status: 409,
        headers: { 'content-type': 'application/problem+json' },
      })
    return Response.json({ faults: [] })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['platform'])
  ;({ TenantDialog } = await import('./tenant-dialog.tsx'))
})

afterEach(cleanup)

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
  expect(asked).toEqual([{ ...SEEN, senderEmail: '', seen: SEEN }])
})

test('who changes what somebody else has changed since sees what holds now', async () => {
  isOvertaken = true
  onTestFinished(() => {
    isOvertaken = false
  })
  const now = { ...TENANT, hosts: ['neustadt.example', 'zaehler.example'] }
  await render(
    <TenantDialog tenant={TENANT} reload={async () => now} onClose={() => undefined} onDone={() => undefined} />,
  )
  await page.getByLabelText('Absender der E-Mails').fill('portal@neustadt.example')
  await page.getByRole('button', { name: 'Übernehmen' }).click()
  await expect.element(page.getByRole('alert').getByText(/Jemand anderes hat das inzwischen geändert/)).toBeVisible()
  await expect.element(page.getByLabelText('Hostnamen')).toHaveValue('neustadt.example, zaehler.example')
  await page.getByRole('button', { name: 'Übernehmen' }).click()
  await expect.poll(() => asked.at(-1)).toEqual({ ...SEEN, hosts: now.hosts, seen: { ...SEEN, hosts: now.hosts } })
})
