import { existsSync } from 'node:fs'
import type { BrowserContextOptions, LaunchOptions } from '@playwright/test'

/** Debian's Chromium. */
const CHROMIUM = '/usr/bin/chromium'
/** The same without a window and all that belongs to one, which takes some 40 % less of a processor for the same pages (D-PLATFORM-20). */
const SHELL = '/usr/bin/chromium-headless-shell'

/** Debian's Chromium, with what it does on its own switched off. `CHROMIUM_PATH` names another one. */
export const chromium: LaunchOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? (existsSync(SHELL) ? SHELL : CHROMIUM),
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

/** The one that asks for cameras; the one without a window has none. */
export const withCamera: LaunchOptions = { ...chromium, executablePath: process.env['CHROMIUM_PATH'] ?? CHROMIUM }

/** For a user who wants no motion: what moves while a page loads takes a seventh of the journeys' processor (D-PLATFORM-20). */
export const still: BrowserContextOptions = { reducedMotion: 'reduce' }
