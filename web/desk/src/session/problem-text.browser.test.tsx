import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ApiError } from '@shared/api/client.ts'
import { startTexts } from '@/texts/texts.ts'
import { useDeskProblemText } from './problem-text.ts'

beforeAll(() => startTexts('de-FORMAL'))

function Said({ code }: { code: string }) {
  const said = useDeskProblemText()
  return <p>{said(new ApiError(code, { status: 422 }))}</p>
}

test('of an address that gets no mail the desk names the button by which it is tried again', async () => {
  await render(<Said code="recipient-suppressed" />)
  await expect.element(page.getByText(/wählen Sie beim Kunden „Wieder E-Mails senden“\.$/)).toBeVisible()
})

test('that no mail goes out need not be the fault of an address', async () => {
  await render(<Said code="mail-refused" />)
  await expect.element(page.getByText(/Im Probebetrieb gehen E-Mails nur an Mitglieder/)).toBeVisible()
})

test('whoever enters an unusual reading is asked why it is right', async () => {
  await render(<Said code="confirmation-required" />)
  await expect.element(page.getByText(/Stimmt er, sagen Sie unten, warum,/)).toBeVisible()
})

test('what portal and desk both meet reads the same', async () => {
  await render(<Said code="conflict" />)
  await expect.element(page.getByText(/^Die Daten wurden inzwischen an anderer Stelle geändert\./)).toBeVisible()
})
