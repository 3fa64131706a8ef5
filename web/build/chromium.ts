import type { LaunchOptions } from '@playwright/test'

/** Debian's Chromium, with what it does on its own switched off. `CHROMIUM_PATH` names another one. */
export const chromium: LaunchOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
