import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** The portal's budgets, measured in the browser; nothing else may run beside them. */
export default defineConfig(journeys, {
  testDir: 'tests/bench',
  testMatch: '*.bench.ts',
  workers: 1,
  reporter: [['./tests/bench/reporter.ts']],
  use: { trace: 'off' },
})
