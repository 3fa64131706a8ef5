import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestInfo } from '@playwright/test'
import { day } from './day.ts'
import { operate } from './operator.ts'

const TENANT = 'birkenfurt'
const demo = fileURLToPath(new URL('../../../demo/birkenfurt/jobs.jsonl', import.meta.url))

interface DemoJob {
  readonly meter: object
  readonly maLoId?: string
  readonly meLoId?: string
}

export interface Customer {
  readonly username: string
  readonly password: string
  /** Of the meter to read. */
  readonly number: string
}

/**
 * A customer of a journey's own, imported by the operator: with a meter like that of one of the demo's jobs, and another one, so that something is
 * left to read. A journey that sends for the demo's meters changes what the others meet.
 */
export async function customerWith(info: Pick<TestInfo, 'outputPath'>, demoJob: string): Promise<Customer> {
  const serial = String(randomInt(1e9, 1e10))
  const account = { id: `k-${serial}`, name: 'Anna Sommer', username: `kundin.${serial}`, password: `birke-${serial}` }
  const like = readFileSync(demo, 'utf8')
    .replaceAll(/"today([+-]\d+)?"/g, (_, offset) => `"${day(Number(offset ?? 0))}"`)
    .split('\n')
    .find((line) => line.includes(`"id":"${demoJob}"`))
  if (!like) throw new Error(`the demo has no job ${demoJob}`)
  const { maLoId: _, meLoId: __, ...job } = JSON.parse(like) as DemoJob
  const jobs = ['1EBZ', '1ISK'].map((maker, index) => ({
    ...job,
    accountId: account.id,
    id: `${serial}-${index}`,
    meter: { ...job.meter, meterNumber: `${maker}${serial}` },
  }))

  const [accountFile, jobFile] = [info.outputPath('accounts.jsonl'), info.outputPath('jobs.jsonl')]
  writeFileSync(accountFile, JSON.stringify({ ...account, language: 'de-FORMAL' }))
  writeFileSync(jobFile, jobs.map((job) => JSON.stringify(job)).join('\n'))
  await operate('accounts', 'import', accountFile, '--tenant', TENANT, '--letters', info.outputPath('letters.jsonl'))
  await operate('jobs', 'import', jobFile, '--tenant', TENANT)
  return { username: account.username, password: account.password, number: `1EBZ${serial}` }
}
