import { defineConfig } from '@playwright/test'
import { launchOptions } from './browser.ts'

export default defineConfig({
  testDir: 'journeys',
  outputDir: 'test-results',
  globalSetup: './global-set-up.ts',
  // However busy the machine is, only what never happens takes so long.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  fullyParallel: true,
  // The other tests run beside them (scripts/test.ts), which also limits the time of the whole.
  workers: 2,
  // A browser under load can fail once; the run says which journeys passed only the second time.
  retries: 1,
  forbidOnly: true,
  reporter: 'list',
  use: {
    launchOptions: launchOptions(),
    locale: 'en-GB',
    // Animations take a tenth of the browser's time. Journeys about focus, typing and fades run with all of them
    // (`motion` in fixtures.ts).
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
})
