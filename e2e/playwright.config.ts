import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'
import { defineConfig } from '@playwright/test'

const debian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

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

/** The browser of CHROME_PATH, else Debian's, else Playwright's, without background network requests. */
function launchOptions(): LaunchOptions {
  const executablePath = process.env.CHROME_PATH || debian.find((path) => existsSync(path))
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // Chromium's sandbox refuses to start as root, the usual user in a container.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Without a spare process for each context; contexts never share one.
      '--renderer-process-limit=1',
    ],
  }
}
