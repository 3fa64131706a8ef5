import { posix } from 'node:path'
import type { Plugin } from 'vite'

/** Where all scripts are. */
const FOLDER = 'assets'

const STYLE = /\.css($|\?)/
const NAMED = /"\.\/([\w-]+\.js)"|`\.\/([\w-]+\.js)`/g
const DYNAMIC = /\bimport\((["'`])(\.\/[^"'`]+\.js)\1\)/g

/** Has each file fetched before it is imported, with the files that it imports at its start and the page may not have (`shared/api/fetched.ts`). */
export const fetchedImports = (): Plugin => ({
  name: 'fetched imports',
  apply: 'build',
  renderChunk(code, { fileName }, _, { chunks }) {
    const withImports = (file: string, found = new Set<string>()): Set<string> => {
      if (found.has(file)) return found
      found.add(file)
      for (const other of chunks[file]?.imports ?? []) withImports(other, found)
      return found
    }
    // Of what consists of styles alone Vite leaves no script.
    const isStyle = (file: string) => chunks[file]?.moduleIds.every((id) => STYLE.test(id))
    const entry = Object.values(chunks).find(({ isEntry }) => isEntry)
    const there = new Set([...withImports(fileName), ...withImports(entry?.fileName ?? '')])
    const changed = code.replaceAll(DYNAMIC, (found: string, _quote: string, path: string) => {
      const files = [...withImports(posix.join(FOLDER, path))].filter((file) => !there.has(file) && !isStyle(file))
      return `self.fetched(()=>${found},${files.map((file) => `"./${posix.relative(FOLDER, file)}"`).join(',')})`
    })
    return changed === code ? null : { code: changed, map: null }
  },
  writeBundle(_, bundle) {
    for (const output of Object.values(bundle)) {
      if (output.type !== 'chunk') continue
      for (const [, one, other] of output.code.matchAll(NAMED)) {
        const file = `${FOLDER}/${one ?? other}`
        if (!(file in bundle)) throw new Error(`${output.fileName} fetches ${file}, which there is not`)
      }
    }
  },
})
