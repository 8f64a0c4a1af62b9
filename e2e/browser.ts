import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const debian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The browser of CHROME_PATH, else Debian's, else Playwright's, without background network requests. */
export function launchOptions(): LaunchOptions {
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
