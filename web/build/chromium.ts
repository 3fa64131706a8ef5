import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

/** The one that only knows how to be without a window needs some 40 % less of a processor for the same pages (D-PLATFORM-20). */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Debian's Chromium, with what it does on its own switched off. `CHROMIUM_PATH` names another one. */
export const chromium: LaunchOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? INSTALLED.find((path) => existsSync(path)) ?? 'chromium',
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
