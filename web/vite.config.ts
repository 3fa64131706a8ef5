import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { amplifyCss } from './build/amplify-css.ts'
import { amplifyTheme } from './build/amplify-theme.ts'
import { amplifyComponents, portalTheme } from './build/theme.ts'

const apiPort = Number(process.env['ZW_API_PORT'] ?? 3000)
const webPort = Number(process.env['ZW_WEB_PORT'] ?? 5173)

// The Host header stays as the browser sent it, because the API finds the tenant by it.
const api = { target: `http://127.0.0.1:${apiPort}`, changeOrigin: false }

export default defineConfig({
  plugins: [
    react(),
    amplifyTheme(),
    amplifyCss({ components: amplifyComponents, theme: portalTheme }),
    {
      // Which version a page is can be seen in it, also long after it was loaded.
      name: 'version',
      transformIndexHtml: () => [
        { tag: 'meta', attrs: { name: 'version', content: process.env['ZW_VERSION'] ?? 'development' } },
      ],
    },
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
  resolve: { alias: { '@': fileURLToPath(new URL('src', import.meta.url)) } },
  server: {
    host: '127.0.0.1',
    port: webPort,
    strictPort: true,
    allowedHosts: ['localhost', '.localhost'],
    proxy: { '/api': api, '/auth': api },
  },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the first screen needs is one file: twenty small ones are compressed each for itself, and weigh more.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
  },
  worker: { format: 'es' },
})
