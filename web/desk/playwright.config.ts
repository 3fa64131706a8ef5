import { defineConfig } from '@playwright/test'
import { chromium, still } from '../build/chromium.ts'

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  globalSetup: './tests/setup.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env['CI']),
  // As the portal's journeys (D-PLATFORM-13).
  retries: 1,
  failOnFlakyTests: Boolean(process.env['STRICT']),
  reporter: [['list']],
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    // Set by the set-up before the workers read this file.
    baseURL: process.env['ZW_DESK'] ?? 'http://localhost',
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    launchOptions: chromium,
    contextOptions: still,
    trace: 'on-first-retry',
  },
})
