import { defineConfig } from '@playwright/test'
import { chosen, firefox } from '../build/firefox.ts'
import journeys from './playwright.config.ts'

/** The journeys in Firefox. */
export default defineConfig(journeys, { ...chosen, outputDir: 'test-results/firefox', use: firefox })
