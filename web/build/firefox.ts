import type { PlaywrightTestConfig } from '@playwright/test'

/** Debian's Firefox, by WebDriver BiDi, for Playwright's `use`. `FIREFOX_PATH` names another one. */
export const firefox: NonNullable<PlaywrightTestConfig['use']> = {
  browserName: 'firefox',
  channel: 'moz-firefox',
  contextOptions: {},
  launchOptions: { executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr', args: [] },
  // A trace's own style sheets break the policy of the page, which every journey looks for; see also portal/tests/portal.ts.
  screenshot: 'off',
  trace: 'off',
}

/** Which journeys run in it: with `ALL_JOURNEYS=1` all but those tagged `@chromium`, else those tagged `@firefox`. */
export const chosen = process.env['ALL_JOURNEYS'] ? { grepInvert: /@chromium/ } : { grep: /@firefox/ }
