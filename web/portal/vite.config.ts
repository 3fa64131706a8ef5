import { createHash } from 'node:crypto'
import { mergeConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { application } from '../build/application.ts'
import { head } from '../build/head.ts'

/** Texts of the first screens, and those of the screens after them; all others are a third file of a language. */
const TEXTS = [
  { name: 'texts', areas: ['common', 'login', 'introduction'] },
  {
    name: 'reading-texts',
    areas: ['errors', 'offline', 'home', 'jobs', 'communication', 'reading', 'photos', 'unknownReading', 'evaluation'],
  },
]
const OTHERS = 'other-texts'

/** Name of the file for a text: `texts-de-FORMAL`. */
function textsFile(id: string): string | null {
  const [, language, area = ''] = /\/(?:texts|i18n)\/([\w-]+)\/(\w+)\.json$/.exec(id) ?? []
  return language ? `${TEXTS.find(({ areas }) => areas.includes(area))?.name ?? OTHERS}-${language}` : null
}

const LATER =
  /\/src\/(?:offline\/(?!preview-note)|sw\/|device\/(?:change|drafts|entry|persistence)\.|features\/login\/(?:failed-|qr-dialog)|app\/(?:not-found|menu|use-menu|font)\.)|\/shared\/ui\/toast\./

const READING =
  /\/src\/app\/(?:home-screen|jobs-page|new-reading-page|evaluation-page)\.tsx$|\/features\/communication\/(?!communication-dialog)/

const PAGE = 'index.html'

/** The page by its content, as `integrity` says it. */
let pageIntegrity = ''

const readPage: Plugin = {
  name: 'page integrity',
  apply: 'build',
  writeBundle: (_, bundle) => {
    const page = bundle[PAGE]
    if (page?.type !== 'asset') throw new Error('the build has no page')
    pageIntegrity = `sha384-${createHash('sha384').update(page.source).digest('base64')}`
  },
}

export default mergeConfig(application('portal'), {
  plugins: [
    head(),
    readPage,
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'service-worker.ts',
      // The portal registers it itself, and the tenant's manifest comes from the API.
      injectRegister: null,
      manifest: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,woff2}'],
        rollupFormat: 'iife',
        manifestTransforms: [
          // A deployment brings the page last: until then the one before is there under its address (D-START-8).
          (files) => ({
            manifest: files.map((file) => (file.url === PAGE ? { ...file, integrity: pageIntegrity } : file)),
          }),
        ],
      },
    }),
  ],
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: textsFile, priority: 4 },
            // It comes long before the rest, and must not wait for it.
            {
              name: 'early',
              test: /\/src\/early\/|\/(?:ui\/setting-keys|api\/files)\.ts$|rolldown.runtime/,
              priority: 3,
            },
            // Of the two ways in everybody takes one; the page names both files, and `early` fetches one of them.
            {
              name: 'link',
              test: /\/src\/(?:app\/follow-link\.|features\/(?:login\/(?:link|token)-login|introduction\/)|data\/jobs\.|device\/seen-jobs\.)/,
              priority: 1.8,
            },
            { name: 'login', test: /\/features\/login\/(?:login-|qr-login)/, priority: 1.7 },
            // What comes after the first screen in one file: all that is done without a network (D-START-4).
            { name: 'later', test: new RegExp(`${LATER.source}|${READING.source}`), priority: 1.5 },
            // What a tenant wrote: the text, and what makes it safe.
            { name: 'markdown', test: /\/(?:marked|dompurify)\/|\/shared\/ui\/markdown/, priority: 1.3 },
            // The network may go right after its button was pressed: one file is asked for, and none behind it.
            { name: 'sharing', test: /\/features\/sharing\/share-dialog\.tsx$/, priority: 0.9 },
          ],
        },
      },
    },
  },
  server: { port: Number(process.env['ZW_WEB_PORT'] ?? 5173) },
})
