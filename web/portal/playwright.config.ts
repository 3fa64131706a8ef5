import { defineConfig } from '@playwright/test'
import { chromium, still } from '../build/chromium.ts'

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  globalSetup: './tests/setup.ts',
  // Each journey has accounts of its own, so that they can run at the same time.
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env['CI']),
  // A journey that failed is done once more for its trace; whether that excuses it is D-PLATFORM-13.
  retries: 1,
  failOnFlakyTests: Boolean(process.env['STRICT']),
  reporter: [['list']],
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    // Set by the set-up before the workers read this file.
    baseURL: process.env['ZW_SITE'] ?? 'http://localhost',
    // What a journey's page asks for must not come from another one's visit; the journeys about that allow it.
    serviceWorkers: 'block',
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    launchOptions: chromium,
    contextOptions: still,
    // Tracing takes as much of the processor as the journey itself.
    trace: 'on-first-retry',
  },
})
