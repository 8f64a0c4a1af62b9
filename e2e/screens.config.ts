import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

export default defineConfig(journeys, {
  testDir: 'screens',
  projects: [
    { name: 'pictures', testIgnore: 'sheet.spec.ts' },
    { name: 'sheet', testMatch: 'sheet.spec.ts', dependencies: ['pictures'] },
  ],
})
