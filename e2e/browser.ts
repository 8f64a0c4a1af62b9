import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const debian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The browser that CHROME_PATH names, else Debian's, else Playwright's own; it makes no calls of its own. */
export function launchOptions(): LaunchOptions {
  const executablePath = process.env.CHROME_PATH || debian.find((path) => existsSync(path))
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // Chromium's sandbox refuses to start for root, which is who runs tests in a container.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  }
}
