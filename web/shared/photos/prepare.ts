import { type Resized, resize } from './resize.ts'

type Answer = { id: number; resized: Resized } | { id: number; error: string }

let worker: Worker | undefined
let asked = 0

/** Whether a worker can draw here; Safari before 16.4 has no OffscreenCanvas. */
const workersDraw = typeof Worker !== 'undefined' && typeof OffscreenCanvas !== 'undefined'

function inWorker(file: Blob): Promise<Resized> {
  worker ??= new Worker(new URL('./resize.worker.ts', import.meta.url), { type: 'module' })
  const ours = worker
  const id = ++asked
  return new Promise((resolve, reject) => {
    const answered = new AbortController()
    const { signal } = answered
    ours.addEventListener(
      'message',
      ({ data }: MessageEvent<Answer>) => {
        if (data.id !== id) return
        answered.abort()
        if ('resized' in data) resolve(data.resized)
        else reject(new Error(data.error))
      },
      { signal },
    )
    ours.addEventListener(
      'error',
      () => {
        answered.abort()
        worker = undefined
        reject(new Error('the photo worker did not start'))
      },
      { signal },
    )
    ours.postMessage({ id, file })
  })
}

/** Makes a picked file fit for sending without holding up the screen. */
export async function prepare(file: Blob): Promise<Resized> {
  if (!workersDraw) return resize(file)
  try {
    return await inWorker(file)
  } catch {
    return resize(file)
  }
}
