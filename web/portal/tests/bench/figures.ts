import { appendFileSync } from 'node:fs'

/** A line of JSON for each figure, into the file that `ZW_BENCH` names: `make bench` does so for its table. */
export function tell(what: string, value: number, budget?: { most?: number; unit: string }): void {
  const file = process.env['ZW_BENCH']
  if (file) appendFileSync(file, `${JSON.stringify({ what, value, ...budget })}\n`)
}
