import { defineConfig } from '@playwright/test'
import { launchOptions } from './browser.ts'

export default defineConfig({
  testDir: 'journeys',
  outputDir: 'test-results',
  globalSetup: './global-set-up.ts',
  globalTimeout: 15 * 60_000,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  // Two cores are enough for three browsers: most of the time each waits for a page.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  reporter: 'list',
  use: {
    launchOptions: launchOptions(),
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    trace: 'off',
  },
})
