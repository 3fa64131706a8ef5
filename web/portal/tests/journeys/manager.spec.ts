import { writeFileSync } from 'node:fs'
import { day } from '../day.ts'
import { operate } from '../operator.ts'
import { expect, expectAccessible, logIn, test } from '../portal.ts'

const METERS = 10_000
const TENANT = 'birkenfurt'
const manager = { username: 'wohnungsbau', password: 'birke-9001' }

const number = (index: number) => `6ZRI${String(index).padStart(10, '0')}`

/** One line of the file of jobs. */
const job = (index: number) => ({
  accountId: 'k-90001',
  id: `90001-${String(index).padStart(5, '0')}`,
  meter: {
    meterNumber: number(index),
    meterAddress: {
      street: 'Neubauring',
      houseNumber: String(Math.floor(index / 20) + 1),
      zip: '99999',
      city: 'Birkenfurt',
    },
    meterRateTasks: [
      {
        taskId: 'waerme',
        rateName: 'Verbrauch',
        obis: '6-0:1.0.0',
        preDecimals: 6,
        postDecimals: 0,
        targetReadingDate: day(0),
        readingEvents: [{ readingDate: day(-365), readingValue: '001000', reason: 'ANNUAL_READING' }],
      },
    ],
  },
  jobConstraints: { earliestExecution: day(-10), latestExecution: day(30) },
  jobPermissions: { reShare: true },
  customer: { customerNumber: String(index), company: 'Wohnungsbau Birkenfurt' },
})

test(
  'a manager of ten thousand meters, imported by the operator, finds one, reads it and exports them all',
  { tag: '@chromium' },
  async ({ page }, info) => {
    test.setTimeout(300_000)
    const [accounts, jobs] = [info.outputPath('accounts.jsonl'), info.outputPath('jobs.jsonl')]
    writeFileSync(
      accounts,
      JSON.stringify({ id: 'k-90001', name: 'Wohnungsbau Birkenfurt', language: 'de-FORMAL', ...manager }),
    )
    writeFileSync(jobs, Array.from({ length: METERS }, (_, index) => JSON.stringify(job(index))).join('\n'))
    await operate('accounts', 'import', accounts, '--tenant', TENANT, '--letters', info.outputPath('letters.jsonl'))
    await operate('jobs', 'import', jobs, '--tenant', TENANT)

    await page.goto('/ablesung')
    await logIn(page, manager)
    await expect(page.getByText('0 von 10.000 abgelesen')).toBeVisible({ timeout: 60_000 })
    const rows = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link')
    await expect.poll(() => rows.count()).toBeLessThan(60)
    await page.getByLabel('Zähler suchen').fill(`neubauring ${number(7_654)}`)
    await expect(rows).toHaveCount(1)
    await rows.click()
    await page.getByRole('textbox', { name: /^Zählerstand/ }).pressSequentially('001234')
    await page.getByRole('button', { name: 'Zählerstand senden' }).click()
    await expect(page.getByText('Senden erfolgreich')).toBeVisible()
    await expect(page.getByText('1 von 10.000 abgelesen')).toBeVisible()
    await expectAccessible(page)

    await page.getByLabel('Zähler suchen').fill('')
    await expect(rows.nth(5)).toBeVisible()
    const before = day()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: /Excel/ }).click()
    const name = (await saved).suggestedFilename()
    expect([before, day()].map((today) => `${today} Wohnungsbau Birkenfurt.xlsx`)).toContain(name)

    await page.reload()
    await expect(page.getByText('1 von 10.000 abgelesen')).toBeVisible({ timeout: 60_000 })
    const read = (await operate('readings', 'export', '--tenant', TENANT, '--since', day(-1), '--format', 'jsonl'))
      .split('\n')
      .filter((line) => line.includes('90001-'))
    expect(read).toHaveLength(1)
    expect(read[0]).toContain('90001-07654')
  },
)
