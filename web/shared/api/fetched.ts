import { ApiError, FOREIGN, UNREACHABLE } from './client.ts'
import { file } from './files.ts'
import { untilThere } from './until-there.ts'

/** Style sheets that did not come, each with what asks for it once more, if anything does: Vite asks for each once. */
const lost = new Map<string, Promise<unknown> | undefined>()

/** So long a part waits for a style sheet that may be another one's, in milliseconds. */
const PATIENCE_MS = 1_000

/**
 * Imports a module once its files have been fetched, which it then finds in the browser's cache: Chromium asks once in a page for a module's
 * file and keeps the failure, so that another try by an import alone never gets it (D-START-9). Rejects when one does not come, or a
 * page in its place (D-OUTBOX-8). The build has every import go through it (`build/fetched-imports.ts`).
 */
async function fetched<Module>(load: () => Promise<Module>, ...files: readonly string[]): Promise<Module> {
  await Promise.all([...files.map(script), lost.size > 0 && soon(styled())])
  return load()
}

async function script(name: string): Promise<void> {
  try {
    await file(name)
  } catch (failure) {
    const { cause } = failure as Error
    // That one of ours is missing is a fault to be told, and not the network's.
    throw cause === 404 ? failure : new ApiError(cause ? FOREIGN : UNREACHABLE)
  }
}

const soon = (something: Promise<unknown>): Promise<unknown> =>
  Promise.race([something, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])

/** Asks for each lost style sheet once more, and resolves when that is answered. */
function styled(): Promise<unknown> {
  const once = (href: string) => {
    const asked = lost.get(href) ?? again(href)
    lost.set(href, asked)
    return asked
  }
  return Promise.all([...lost.keys()].map(once))
}

const again = (href: string): Promise<unknown> =>
  new Promise<void>((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = href
    link.addEventListener('load', () => {
      lost.delete(href)
      resolve()
    })
    link.addEventListener('error', () => resolve())
    document.head.append(link)
  })

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') isLost(target)
  },
  true,
)

function isLost(link: HTMLLinkElement): void {
  link.remove()
  lost.set(link.href, undefined)
}

// What the page itself names was waited for before this is run: a sheet that is not there was lost.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) if (!link.sheet) isLost(link)
if (lost.size > 0)
  void untilThere(async () => {
    await styled()
    if (lost.size > 0) throw new ApiError(UNREACHABLE)
  })

Object.assign(globalThis, { fetched })
