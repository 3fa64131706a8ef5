import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** Debian's Firefox, by WebDriver BiDi. `FIREFOX_PATH` names another one. */
const executablePath = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr'

/** The journeys in Firefox: with `ALL_JOURNEYS=1` all but those tagged `@chromium`, else those tagged `@firefox`. */
export default defineConfig(journeys, {
  ...(process.env['ALL_JOURNEYS'] ? { grepInvert: /@chromium/ } : { grep: /@firefox/ }),
  testIgnore: [
    // axe and pictures, which are for Chromium, and a camera that Chromium plays.
    '**/{accessibility,forced-colors,scan}.spec.ts',
    // No file is ever saved over WebDriver BiDi.
    '**/export.spec.ts',
    // The process of the content dies of looks at the element with the focus.
    '**/keyboard.spec.ts',
  ],
  outputDir: 'test-results/firefox',
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: { executablePath, args: [] },
    // A trace's own style sheets break the policy of the page, which every journey looks for; see also portal.ts.
    screenshot: 'off',
    trace: 'off',
  },
})
