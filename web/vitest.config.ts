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
            // One of them reads every source file, which takes a busy machine some seconds.
            testTimeout: 30_000,
            environment: 'node',
            include: ['src/**/*.test.ts', 'build/**/*.test.ts'],
            exclude: ['src/**/*.browser.test.ts'],
          },
        },
        {
          extends: true,
          optimizeDeps: {
            include: [
              '@aws-amplify/ui-react',
              'i18next',
              'idb',
              'openapi-fetch',
              'react-dom/client',
              'react-i18next',
              'swr',
              'vitest-browser-react',
            ],
          },
          test: {
            // Locks, IndexedDB, canvas and layout are what these tests are about; no imitation has them.
            name: 'browser',
            include: ['src/**/*.browser.test.{ts,tsx}'],
            // Any free port: another run on the machine may have the usual one.
            api: { port: 0 },
            // What waits for something waits for as long as that takes on a busy machine.
            testTimeout: 30_000,
            expect: { poll: { timeout: 20_000 } },
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
