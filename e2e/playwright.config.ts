import { existsSync } from 'node:fs'
import { defineConfig, type LaunchOptions } from '@playwright/test'

const debian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

export default defineConfig({
  testDir: 'journeys',
  // The language of a page does not follow the browser's.
  projects: [
    { name: 'accounts', testMatch: 'accounts/**', use: { locale: 'de-DE' } },
    { name: 'others', testIgnore: 'accounts/**' },
  ],
  outputDir: 'test-results',
  globalSetup: './global-set-up.ts',
  // Only a journey without steps takes this long; a step that never succeeds fails after ten seconds.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  // Other tests run in parallel.
  workers: 2,
  // A browser under load can fail once. The run reports retries.
  retries: 1,
  forbidOnly: true,
  reporter: 'list',
  use: {
    launchOptions: launchOptions(),
    actionTimeout: 10_000,
    navigationTimeout: 10_000,
    locale: 'en-GB',
    // Animations take a tenth of the browser's time.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
})

/** Of CHROME_PATH, else Debian's, else Playwright's, without background requests. */
function launchOptions(): LaunchOptions {
  const executablePath = process.env.CHROME_PATH || debian.find((path) => existsSync(path))
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // Chromium's sandbox refuses root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // No spare process for each context.
      '--renderer-process-limit=1',
    ],
  }
}
