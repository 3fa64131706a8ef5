import { defineConfig } from '@playwright/test'
import { chosen, firefox } from '../build/firefox.ts'
import journeys from './playwright.config.ts'

/** The journeys in Firefox. */
export default defineConfig(journeys, {
  ...chosen,
  testIgnore: [
    // axe and pictures, which are for Chromium, and a camera that Chromium plays.
    '**/{accessibility,forced-colors,scan}.spec.ts',
    // No file is ever saved over WebDriver BiDi.
    '**/export.spec.ts',
    // The process of the content dies of looks at the element with the focus.
    '**/keyboard.spec.ts',
  ],
  outputDir: 'test-results/firefox',
  use: firefox,
})
