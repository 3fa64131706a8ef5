import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** A season from its utility's first day to its last job: too long for each change. */
export default defineConfig(journeys, {
  testDir: 'tests/season',
  testMatch: '*.walk.ts',
  workers: 1,
  retries: 0,
  timeout: 900_000,
  use: { trace: 'off', screenshot: 'only-on-failure', actionTimeout: 20_000 },
})
