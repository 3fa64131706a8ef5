/** Tables of pages that a program computes: they stand between two marks, so that a test can compare page and program. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** How numbers are written in tables. */
export const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
export const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
export const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, maximumFractionDigits: 9 })
export const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** A table in Markdown, whose columns behind the first one are numbers. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** A page of `docs/` as it is, and as it would be with a fresh report of this program. */
export interface Refreshed {
  file: string
  before: string
  after: string
}

/** The page `docs/<name>` with what this program of `infra/` reports between its marks. */
export function refreshedPage(name: string, program: string, report: string): Refreshed {
  const file = path.resolve(import.meta.dirname, '../docs', name)
  const marks = [`<!-- computed by infra/${program} -->`, '<!-- end of what is computed -->'] as const
  const before = readFileSync(file, 'utf8')
  const [head, rest] = before.split(marks[0])
  const tail = rest?.split(marks[1])[1]
  if (head === undefined || tail === undefined) throw new Error(`${file} has no place for the tables.`)
  return { file, before, after: `${head}${marks[0]}\n\n${report}\n\n${marks[1]}${tail}` }
}

/** Puts the tables into the page with `--write`, and prints the report without. */
export function tell(report: string, refreshed: () => Refreshed): void {
  if (!process.argv.includes('--write')) {
    console.log(report)
    return
  }
  const { file, after } = refreshed()
  writeFileSync(file, after)
}
