import { posix } from 'node:path'
import type { Plugin } from 'vite'

/** Chunk whose calls begin in the head. */
const EARLY = 'early'
/** Chunks with one of the ways in each, and the one with what comes after either. */
const PARTS = new Set(['link', 'login', 'later'])
/** Chunks with the texts of the first screens: `texts-de-FORMAL`. */
const TEXTS = 'texts-'

/**
 * Lets `src/early` run as soon as it is there, before the file that imports it, and names the two ways in, what comes after them and the
 * texts of the first screens: it fetches the way that is taken, and the texts of the reader's language.
 */
export const head = (): Plugin => ({
  name: 'head',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const early = chunks.find(({ name }) => name === EARLY)
      if (!early) throw new Error('the build has no early chunk')
      const preload = `<link rel="modulepreload" crossorigin href="/${early.fileName}">`
      if (!html.includes(preload)) throw new Error('the early chunk is none that the page begins with')
      return {
        html: html.replace(preload, ''),
        tags: [
          {
            tag: 'script',
            injectTo: 'head-prepend',
            attrs: { type: 'module', async: true, crossorigin: true, src: `/${early.fileName}` },
          },
          ...chunks
            .filter(({ name }) => PARTS.has(name) || name.startsWith(TEXTS))
            .map(({ name, fileName }) => ({
              tag: 'meta',
              injectTo: 'head' as const,
              // Written as in the imports, so that both are one file (`shared/api/files.ts`).
              attrs: { name, content: `./${posix.basename(fileName)}` },
            })),
        ],
      }
    },
  },
})
