import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { startTexts } from '@/texts/texts.ts'
import { MailsText } from './mails-text.tsx'

beforeAll(async () => {
  await startTexts('de-FORMAL')
  await loadTexts(['runs'])
})

test.each([
  [1, 'eine Adresse nimmt keine E-Mail an, eine wartet, bis wieder versendet werden darf'],
  [1200, '1.200 Adressen nehmen keine E-Mail an, 1.200 warten, bis wieder versendet werden darf'],
])('of %i mail the words agree with the number', async (count, said) => {
  await render(<MailsText mails={{ due: count, sent: 0, suppressed: count, rehearsed: 0, later: count, failed: 0 }} />)
  await expect.element(page.getByText(said)).toBeVisible()
})
