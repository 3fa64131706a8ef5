import { mergeConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { application } from '../build/application.ts'

export default mergeConfig(application('portal'), {
  plugins: [
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
  server: { port: Number(process.env['ZW_WEB_PORT'] ?? 5173) },
})
