import { resize } from './resize.ts'

/** One file in, one answer out, both with the number that the asker gave it. */
addEventListener('message', ({ data }: MessageEvent<{ id: number; file: Blob }>) => {
  resize(data.file).then(
    (resized) => postMessage({ id: data.id, resized }),
    (error: unknown) => postMessage({ id: data.id, error: String(error) }),
  )
})
