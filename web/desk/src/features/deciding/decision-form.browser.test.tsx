import { afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { ApiError } from '@shared/api/client.ts'
import type { FieldError } from '@shared/contract/types.ts'
import type { Decision } from '@/data/types.ts'
import type { DecisionForm as Shown } from './decision-form.tsx'
import type { Case } from './use-queue.ts'

let DecisionForm: typeof Shown

beforeAll(async () => {
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['deciding', 'common'])
  ;({ DecisionForm } = await import('./decision-form.tsx'))
})

afterEach(cleanup)

const refused = (code: string, fieldErrors: FieldError[]) =>
  new ApiError(code, { status: 422, problem: { fieldErrors } })

/** Shows the form of an exchange, which is refused for these reasons one after the other; what it sends. */
async function open(refusals: ApiError[]): Promise<Decision[]> {
  const sent: Decision[] = []
  const item = { kind: 'ofJob', job: 'j-1', reading: 'r1', version: 'v1', day: '2026-11-20', number: 'NEW' } as Case
  const onSend = async (decision: Decision): Promise<unknown> => {
    sent.push(decision)
    return Promise.resolve(refusals.shift())
  }
  await render(
    <DecisionForm kind="exchange" item={item} isSending={false} onSend={onSend} onCancel={() => undefined} />,
  )
  return sent
}

const last = page.getByLabelText('Endstand des alten Zählers')
const first = page.getByLabelText('Anfangsstand des neuen Zählers')

test('an unlikely exchange is confirmed as it stands there, also with digits that the meter of the job has not', async () => {
  const unlikely = (message: string) =>
    refused('confirmation-required', [{ field: 'exchange.finalValue', message, code: 'DECIMALS_EXACT' }])
  const sent = await open([
    unlikely('hat mehr Nachkommastellen als das Zählwerk'),
    unlikely('das Zählwerk hat 5 Stellen vor dem Komma'),
  ])
  await last.fill('48.210')
  await first.fill('0')
  await page.getByRole('button', { name: 'Wechsel freigeben' }).click()
  const anyway = page.getByRole('button', { name: 'Wert stimmt trotzdem' })
  await expect.element(anyway).toBeVisible()
  await last.fill('123456')
  await page.getByRole('button', { name: 'Wechsel freigeben' }).click()
  await anyway.click()
  expect(sent.map(({ exchange, confirmed }) => [exchange?.finalValue, confirmed])).toEqual([
    ['48.210', undefined],
    ['123456', undefined],
    ['123456', true],
  ])
  await last.fill('48210')
  await expect.element(anyway).not.toBeInTheDocument()
})

test('of a reading that has the new number already, that of the old meter is asked for', async () => {
  const sent = await open([])
  const old = page.getByLabelText('Nummer des alten Zählers')
  await last.fill('48210')
  await first.fill('0')
  await expect.element(old).not.toBeInTheDocument()
  await page.getByLabelText('Nummer des neuen Zählers (wenn bekannt)').fill('NEW')
  await page.getByRole('button', { name: 'Wechsel freigeben' }).click()
  await expect.element(old).toHaveAccessibleDescription(/Bitte angeben\./)
  await old.fill('OLD')
  await page.getByRole('button', { name: 'Wechsel freigeben' }).click()
  expect(sent.map(({ exchange }) => [exchange?.newNumber, exchange?.oldNumber])).toEqual([['NEW', 'OLD']])
})
