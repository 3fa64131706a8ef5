import type { Job } from '@shared/contract/types.ts'
import { loadTexts, translate } from '@shared/i18n/i18n.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { columns, rowsOf } from './columns.ts'
import type { ToWorker } from './xlsx.worker.ts'

/** So many jobs become rows before the page gets its turn again: a few milliseconds. */
const JOBS_AT_ONCE = 100

/**
 * The jobs as an Excel file (L9). The file is made in a worker, and its rows are handed over in small parts, so that the page goes
 * on in the meantime. Rejects when the worker cannot be loaded.
 */
export async function exportJobs(jobs: readonly Job[]): Promise<Blob> {
  await loadTexts(['export'])
  const t = translate('export')
  const worker = new Worker(new URL('./xlsx.worker.ts', import.meta.url), { type: 'module' })
  const send = (message: ToWorker) => worker.postMessage(message)
  try {
    const failed = new Promise<never>((_, reject) => {
      worker.addEventListener('error', (event) => {
        event.preventDefault()
        reject(new Error(event.message || 'the worker did not load'))
      })
    })
    const finished = new Promise<Blob>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Blob>) => resolve(data))
    })
    send({ title: t('sheet'), columns: columns(t, jobs) })
    for (let at = 0; at < jobs.length; at += JOBS_AT_ONCE) {
      send({ rows: jobs.slice(at, at + JOBS_AT_ONCE).flatMap((job) => rowsOf(job, t)) })
      await Promise.race([nextTurn(), failed])
    }
    send('end')
    return await Promise.race([finished, failed])
  } finally {
    worker.terminate()
  }
}

/** Lets clicks, keys and paints go first. A timer would wait for four milliseconds more each time. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}

/** The file's name: the day and the account (L9), without what a file system refuses. */
export const fileName = (today: IsoDate, account: string): string =>
  `${today} ${account
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()}.xlsx`

/** Gives a file to the browser to be saved. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
