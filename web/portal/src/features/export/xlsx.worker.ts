import { type Column, type Row, Workbook } from './xlsx.ts'

/** The sheet's begin, its rows in parts, its end. */
export type ToWorker = { title: string; columns: readonly Column[] } | { rows: readonly Row[] } | 'end'

let workbook: Workbook | undefined
let before = Promise.resolve()

// One after the other: a part must not overtake the one before it.
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  before = take(data, before)
})

async function take(message: ToWorker, before: Promise<void>): Promise<void> {
  await before
  if (message === 'end') postMessage(await workbook?.finish())
  else if ('rows' in message) await workbook?.add(message.rows)
  else workbook = new Workbook(message.title, message.columns)
}
