import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** Examples for other frameworks. `npm run test:release` builds and starts them, and names their addresses. */
export default defineConfig({
  ...journeys,
  globalSetup: [],
  testDir: 'examples',
  projects: [{ name: 'examples' }],
})
