import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** Takes a screenshot of every screen in every state, then puts all of them on one sheet. */
export default defineConfig(journeys, {
  testDir: 'screens',
  projects: [
    { name: 'pictures', testMatch: 'pictures.spec.ts' },
    { name: 'sheet', testMatch: 'sheet.spec.ts', dependencies: ['pictures'] },
  ],
})
