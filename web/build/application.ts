/** What the builds of all applications have in common; each has its own `vite.config.ts` for the rest. */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { isMissingFile } from '../../infra/files.ts'
import { amplifyCss } from './amplify-css.ts'
import { amplifyTheme } from './amplify-theme.ts'
import { fetchedImports } from './fetched-imports.ts'
import { targets } from './floor.ts'
import { amplifyComponents, theme, unusedVariations } from './theme.ts'

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))

const apiPort = Number(process.env['ZW_API_PORT'] ?? 3000)

/** Where the API is. The Host header stays as the browser sent it, because the API finds the tenant by it. */
export const api = { target: `http://127.0.0.1:${apiPort}`, changeOrigin: false }

/** How sources of the application in the folder `name` name other folders. */
export const aliases = (name: string): Record<string, string> => ({
  '@': path(`${name}/src`),
  '@shared': path('shared'),
})

/** React 19 has itself what SWR and wouter bring for older ones. */
const react19 = {
  find: /^use-sync-external-store\/shim(\/index\.js)?$/,
  replacement: path('stubs/use-sync-external-store.ts'),
}

/** The build of the application in the folder `name`. */
export const application = (name: string): UserConfig =>
  defineConfig({
    root: path(name),
    // Two development servers that prepare packages in one folder take them from each other.
    cacheDir: path(`node_modules/.vite/${name}`),
    plugins: [
      react(),
      amplifyTheme(),
      fetchedImports(),
      amplifyCss({ components: amplifyComponents, unused: unusedVariations, theme }),
      {
        // What Vite has no file for gets the page, as in production, and the ones that ask for a file get none (infra/files.ts).
        name: 'missing files',
        configureServer:
          ({ middlewares }) =>
          () => {
            middlewares.use((request, response, next) => {
              const { pathname } = new URL(request.originalUrl ?? '/', 'http://localhost')
              if (isMissingFile(pathname)) response.writeHead(404).end()
              else next()
            })
          },
      },
      {
        // Which version a page is can be seen in it, also long after it was loaded.
        name: 'version',
        transformIndexHtml: () => [
          { tag: 'meta', attrs: { name: 'version', content: process.env['ZW_VERSION'] ?? 'development' } },
        ],
      },
    ],
    resolve: {
      alias: [...Object.entries(aliases(name)).map(([find, replacement]) => ({ find, replacement })), react19],
    },
    server: {
      host: '127.0.0.1',
      strictPort: true,
      allowedHosts: ['localhost', '.localhost'],
      proxy: { '/api': api, '/auth': api },
    },
    build: {
      target: targets,
      assetsInlineLimit: 0,
      modulePreload: {
        polyfill: false,
        // Scripts are fetched as files (`fetched-imports.ts`): of a preloaded module a failure would be kept, and a list of them weighs half a KiB.
        resolveDependencies: (_, dependencies, { hostType }) =>
          hostType === 'html' ? dependencies : dependencies.filter((other) => other.endsWith('.css')),
      },
      // What the first screen needs is one file: twenty small ones are compressed each for itself, and weigh more.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], priority: 2 }] } } },
    },
    worker: { format: 'es' },
  })
