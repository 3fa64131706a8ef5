import { ApiError, FOREIGN, UNREACHABLE } from './client.ts'
import { untilThere } from './until-there.ts'

/** Files of modules that have been imported: they are there without a network, too. */
const there = new Set<string>()

/** Files that are on their way. */
const coming = new Map<string, Promise<void>>()

/** Style sheets that did not come: Vite asks for each once. */
const lost = new Set<HTMLLinkElement>()

/**
 * Imports a module once its files have been fetched, which it then finds in the browser's cache: Chromium asks once in a page for a module's
 * file and keeps the failure, so that whoever tries again by an import alone never gets it (D-START-9). Rejects when one does not come, or a
 * page in its place (D-OUTBOX-8). The build has every import go through it (`build/fetched-imports.ts`).
 */
async function fetched<Module>(load: () => Promise<Module>, ...files: readonly string[]): Promise<Module> {
  await Promise.all([...files.filter((file) => !there.has(file)).map(once), ...[...lost].map(again)])
  const module = await load()
  for (const file of files) there.add(file)
  return module
}

function once(file: string): Promise<void> {
  const begun = coming.get(file) ?? script(file).finally(() => coming.delete(file))
  coming.set(file, begun)
  return begun
}

async function script(file: string): Promise<void> {
  const whole = async (cache: RequestCache) => {
    const answer = await fetch(`/assets/${file}`, { cache })
    // That one of ours is missing is a fault to be told, and not the network's.
    if (answer.status === 404) throw new Error(file)
    if (!answer.ok || !answer.headers.get('content-type')?.includes('script')) throw new ApiError(FOREIGN)
    await answer.blob()
  }
  try {
    // Past the browser's cache: Chromium sometimes breaks off the content of what was preloaded.
    await whole('default').catch(() => whole('reload'))
  } catch (failure) {
    throw failure instanceof TypeError ? new ApiError(UNREACHABLE) : failure
  }
}

/** Asks for a style sheet once more. Never rejects: it may be another part's. */
const again = (link: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve) => {
    lost.delete(link)
    const next = link.cloneNode() as HTMLLinkElement
    next.addEventListener('load', resolve)
    next.addEventListener('error', resolve)
    document.head.append(next)
  })

document.addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    target.remove()
    lost.add(target)
  },
  true,
)

// What the page itself names was waited for before this is run: a sheet that is not there was lost.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
  if (!link.sheet) {
    link.remove()
    lost.add(link)
  }
if (lost.size > 0)
  void untilThere(async () => {
    await Promise.all([...lost].map(again))
    if (lost.size > 0) throw new ApiError(UNREACHABLE)
  })

Object.assign(globalThis, { fetched })
