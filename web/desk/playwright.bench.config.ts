import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** What a clerk takes for the day's work; nothing else may run beside it. */
export default defineConfig(journeys, {
  testDir: 'tests/bench',
  testMatch: '*.bench.ts',
  workers: 1,
  retries: 0,
  timeout: 300_000,
  reporter: [['list']],
  use: { trace: 'off', actionTimeout: 20_000 },
})
