import { mergeConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { application } from '../build/application.ts'
import { head } from '../build/head.ts'

/** Texts of the first screens, and those of the screens after them; the others are a file each. */
const TEXTS = [
  { name: 'texts', areas: ['common', 'errors', 'login', 'offline'] },
  { name: 'reading-texts', areas: ['jobs', 'reading', 'photos'] },
]

/** Name of the file for a text: `texts-de-FORMAL`. */
function textsFile(id: string): string | null {
  const [, language, area = ''] = /\/(?:texts|i18n)\/([\w-]+)\/(\w+)\.json$/.exec(id) ?? []
  const file = TEXTS.find(({ areas }) => areas.includes(area))
  return file ? `${file.name}-${language}` : null
}

export default mergeConfig(application('portal'), {
  plugins: [
    head(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'service-worker.ts',
      // The portal registers it itself, and the tenant's manifest comes from the API.
      injectRegister: null,
      manifest: false,
      injectManifest: { globPatterns: ['**/*.{js,css,html,svg,woff2}'], rollupFormat: 'iife' },
    }),
  ],
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: textsFile, priority: 4 },
            // It comes long before the rest, and must not wait for it.
            { name: 'early', test: /\/src\/early\/|\/setting-keys\.ts$|rolldown.runtime/, priority: 3 },
            // From the list to a meter's field, in one file.
            { name: 'reading', test: /\/src\/app\/jobs-page\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { port: Number(process.env['ZW_WEB_PORT'] ?? 5173) },
})
