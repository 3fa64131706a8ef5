import { beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { SendFile as Shown } from './send-file.tsx'

const realFetch = globalThis.fetch
let SendFile: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!new URL(request.url).pathname.endsWith('/imports/files')) return realFetch(request)
    // Nothing answers there.
    return Response.json({ uploadId: 'u1', url: 'https://store.invalid/u1', headers: {} })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['imports'])
  ;({ SendFile } = await import('./send-file.tsx'))
})

test('a file that does not get to the store says so, and what to do', async () => {
  const { container } = await render(<SendFile tenant="birkenfurt" onSent={() => undefined} />)
  const picker = container.querySelector<HTMLInputElement>('input[type=file]')
  await userEvent.upload(picker as HTMLInputElement, new File(['a;b'], 'kunden.csv'))
  const said = /nicht im Speicher an, der eine eigene Adresse hat: store\.invalid.* Ihre IT/
  await expect.element(page.getByRole('alert').getByText(said)).toBeVisible()
})
