/** Files of modules that have been imported: they are there without a network, too. */
const there = new Set<string>()

/** Style sheets that did not come; the build asks for each once. */
const lost = new Set<string>()

/**
 * Imports a module once its files have been fetched, which it then finds in the browser's cache: Chromium asks once in a page for a module's
 * file and keeps the failure, so that whoever tries again by an import alone never gets it (D-START-9). Rejects when one does not come, or a
 * page in its place (D-OUTBOX-8). The build has every import go through it (`build/fetched-imports.ts`).
 */
async function fetched<Module>(load: () => Promise<Module>, ...files: readonly string[]): Promise<Module> {
  await Promise.all([...files.filter((file) => !there.has(file)).map(script), ...[...lost].map(styleSheet)])
  const module = await load()
  for (const file of files) there.add(file)
  return module
}

async function script(file: string): Promise<void> {
  const whole = async (cache: RequestCache) => {
    const answer = await fetch(`/assets/${file}`, { cache })
    if (!answer.ok || !answer.headers.get('content-type')?.includes('script')) throw new TypeError(file)
    await answer.blob()
  }
  // Past the browser's cache: Chromium sometimes breaks off the content of what was preloaded.
  await whole('default').catch(() => whole('reload'))
}

const styleSheet = (href: string): Promise<void> =>
  new Promise((resolve, reject) => {
    lost.delete(href)
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = href
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new TypeError(href)))
    document.head.append(link)
  })

document.addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    lost.add(target.href)
    target.remove()
  },
  true,
)

Object.assign(globalThis, { fetched })
