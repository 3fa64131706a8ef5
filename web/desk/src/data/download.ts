import { ApiError, FOREIGN } from '@shared/api/client.ts'

/** Has the browser keep a file under this name. */
export function keepFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/**
 * Has the browser keep the file at another address. It is fetched in a frame that nobody sees, as what the store or a network between answers in its place would
 * replace the page with all that is typed there. Rejects when such a page came; resolves when none did for a minute.
 */
export const keepFrom = async (url: string): Promise<void> =>
  new Promise((done, failed) => {
    const frame = document.createElement('iframe')
    frame.hidden = true
    const end = setTimeout(() => {
      frame.remove()
      done()
    }, 60_000)
    // A file is none to be shown: what is shown is none.
    frame.addEventListener('load', () => {
      clearTimeout(end)
      frame.remove()
      failed(new ApiError(FOREIGN))
    })
    frame.src = url
    document.body.append(frame)
  })
