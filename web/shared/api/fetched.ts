/**
 * Imports a module once its files have been fetched, which it then finds in the browser's cache: Chromium asks once in a page for a module's
 * file and keeps the failure, so that whoever tries again by an import alone never gets it (D-START-9). Rejects when one does not come, or a
 * page in its place (D-OUTBOX-8). The build has every import go through it (`build/fetched-imports.ts`).
 */
async function fetched<Module>(load: () => Promise<Module>, ...files: readonly string[]): Promise<Module> {
  await Promise.all(
    files.map(async (file) => {
      const answer = await fetch(`/assets/${file}`)
      if (!answer.ok || !answer.headers.get('content-type')?.includes('script')) throw new TypeError(file)
      await answer.blob()
    }),
  )
  return load()
}

Object.assign(globalThis, { fetched })
