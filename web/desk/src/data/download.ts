/** Has the browser keep a file under this name. */
export function keepFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The file did not come from the store, which has another address than the desk: something else came in its place. */
export class NotFetched extends Error {
  override readonly name = 'NotFetched'
  /** The store's address. */
  readonly host: string

  constructor(url: string) {
    const { host } = new URL(url)
    super(`the file did not come from ${host}`)
    this.host = host
  }
}

/**
 * Has the browser keep the file at another address. It is fetched in a hidden frame, as what the store or a network between answers in its place would
 * replace the page with all that is typed there. Rejects with [`NotFetched`] when such a page came; resolves when none did for a minute.
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
      failed(new NotFetched(url))
    })
    frame.src = url
    document.body.append(frame)
  })
