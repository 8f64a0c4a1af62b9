import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** Photographs every screen in every state, then lays the pictures out on one sheet. */
export default defineConfig(journeys, {
  testDir: 'screens',
  projects: [
    { name: 'pictures', testMatch: 'pictures.spec.ts' },
    { name: 'sheet', testMatch: 'sheet.spec.ts', dependencies: ['pictures'] },
  ],
})
