import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** What was measured against what is allowed; a measurement outside its budget fails the run. */
export default class Budgets implements Reporter {
  printsToStdio(): boolean {
    return true
  }

  onBegin(): void {
    process.stdout.write(`\n${'portal'.padEnd(46)}${'measured'.padStart(12)}${'budget'.padStart(12)}\n`)
  }

  onTestEnd({ title }: TestCase, { annotations, status, error }: TestResult): void {
    for (const { type, description } of annotations) process.stdout.write(`${type.padEnd(46)}${description}\n`)
    if (status !== 'passed') process.stdout.write(`${title}: ${error?.message ?? status}\n`)
  }
}
