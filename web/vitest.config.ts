import { playwright } from '@vitest/browser-playwright'
import { defineConfig, mergeConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { aliases, application } from './build/application.ts'
import { chromium } from './build/chromium.ts'
import { portalTexts } from './build/portal-texts.ts'

/** Tests that run in Node. */
const unit = {
  environment: 'node',
  exclude: ['**/*.browser.test.*', '**/node_modules/**'],
  // One of them reads every source file, which takes a busy machine some seconds.
  testTimeout: 30_000,
} satisfies TestProjectInlineConfiguration['test']

/** The two kinds of an application's tests. */
const testsOf = (name: string): TestProjectInlineConfiguration[] => [
  mergeConfig(application(name), defineConfig({ test: { ...unit, name, include: ['src/**/*.test.ts'] } })),
  mergeConfig(
    application(name),
    defineConfig({
      plugins: [portalTexts()],
      optimizeDeps: {
        include: [
          '@aws-amplify/ui-react',
          'idb',
          'react-dom/client',
          'swr',
          'swr/infinite',
          'vitest-browser-react',
          'wouter',
          'wouter/memory-location',
        ],
      },
      test: {
        // Locks, IndexedDB, canvas and layout are what these tests are about; no imitation has them.
        name: `${name} in a browser`,
        include: ['src/**/*.browser.test.{ts,tsx}'],
        // Any free port: another run on the machine may have the usual one.
        api: { port: 0 },
        // What waits for something waits for as long as that takes on a busy machine.
        testTimeout: 30_000,
        hookTimeout: 120_000,
        expect: { poll: { timeout: 20_000 } },
        // D-PLATFORM-13
        retry: process.env['STRICT'] ? 0 : 1,
        browser: {
          enabled: true,
          headless: true,
          screenshotFailures: false,
          instances: [{ browser: 'chromium' }],
          provider: playwright({ launchOptions: chromium }),
        },
      },
    }),
  ),
]

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: aliases('shared') },
        test: { ...unit, name: 'shared', include: ['{shared,build}/**/*.test.ts'] },
      },
      ...testsOf('portal'),
      ...testsOf('desk'),
    ],
  },
})
