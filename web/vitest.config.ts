import { playwright } from '@vitest/browser-playwright'
import { defineConfig, mergeConfig } from 'vitest/config'
import { chromium } from './tests/chromium.ts'
import viteConfig from './vite.config.ts'

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'unit',
            environment: 'node',
            include: ['src/**/*.test.ts', 'build/**/*.test.ts'],
            exclude: ['src/**/*.browser.test.ts'],
          },
        },
        {
          extends: true,
          optimizeDeps: { include: ['react-dom/client', '@aws-amplify/ui-react', 'vitest-browser-react', 'idb'] },
          test: {
            // Locks, IndexedDB, canvas and layout are what these tests are about; no imitation has them.
            name: 'browser',
            include: ['src/**/*.browser.test.{ts,tsx}'],
            browser: {
              enabled: true,
              headless: true,
              screenshotFailures: false,
              instances: [{ browser: 'chromium' }],
              provider: playwright({ launchOptions: chromium }),
            },
          },
        },
      ],
    },
  }),
)
