// The portal's list as a workbook (L9: 26 columns) by the portal's own writer and by a kept library, in turn in the same process. Gives the
// milliseconds and bytes of each round.
import { performance } from 'node:perf_hooks'
import writeExcelFile from 'write-excel-file/node'
import { Workbook } from '../../../web/portal/src/features/export/xlsx.ts'

const ROWS = 10_000
const ROUNDS = 5
const KINDS = [...Array(18).fill('text'), ...Array(3).fill('date'), ...Array(5).fill('number')]
const TYPES = { text: String, date: Date, number: Number }

const columns = KINDS.map((kind, index) => ({ title: `Spalte ${index + 1}`, kind, width: 16 }))
const rows = Array.from({ length: ROWS }, (_, row) =>
  KINDS.map((kind, index) => {
    if (kind === 'text') return `Lindenweg ${row} ${index}`
    return kind === 'date' ? `2026-11-${String((row % 28) + 1).padStart(2, '0')}` : `${13_050 + row}.${index % 10}`
  }),
)

async function ours() {
  const workbook = new Workbook('Zähler', columns)
  await workbook.add(rows)
  return (await workbook.finish()).size
}

async function library() {
  const head = columns.map(({ title }) => ({ value: title, fontWeight: 'bold' }))
  const cells = rows.map((row) =>
    row.map((value, index) => {
      const type = TYPES[KINDS[index]]
      if (type === Date) return { type, value: new Date(`${value}T00:00:00Z`), format: 'dd.mm.yyyy' }
      return type === Number ? { type, value: Number(value), format: '0.0' } : value
    }),
  )
  const options = { sheet: 'Zähler', columns: columns.map(({ width }) => ({ width })), stickyRowsCount: 1 }
  return (await writeExcelFile([head, ...cells], options).toBuffer()).length
}

for (let round = 0; round < ROUNDS; round += 1) {
  for (const [what, write] of Object.entries({ ours, library })) {
    const begin = performance.now()
    const bytes = await write()
    console.log(JSON.stringify({ what, milliseconds: performance.now() - begin, bytes }))
  }
}
