import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'

const port = Number(process.env.TEST_PORT ?? 4800)
export const url = `http://localhost:${port}`
export const admin_url = `http://localhost:${port + 1}`

/** Of CHROME_PATH, else Playwright's own. The sandbox refuses root. */
const launchOptions = {
  ...(process.env.CHROME_PATH ? { executablePath: process.env.CHROME_PATH } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
}

/**
 * A configuration of Playwright: journeys through the built product, with an empty database, on TEST_PORT
 * (default: 4800) and the port after it.
 *
 * @param folder of the journeys, inside that of the product
 * @param settings of the product, such as `{ MAPS_URL: 'http://127.0.0.1:4900' }`
 * @example export default journeysIn(import.meta.dirname)
 */
export function journeysIn(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): PlaywrightTestConfig {
  return defineConfig({
    testDir: folder,
    fullyParallel: true,
    workers: 2,
    forbidOnly: true,
    use: { baseURL: url, launchOptions, screenshot: 'only-on-failure' },
    webServer: {
      command: 'npm start',
      cwd: join(folder, '..'),
      url: `${url}/health/ready`,
      timeout: 120_000,
      env: {
        PORT: `${port}`,
        ADMIN_PORT: `${port + 1}`,
        DATA_DIR: mkdtempSync(join(tmpdir(), 'test-')),
        LIMITS: '{"registration":"off"}',
        ...settings,
      },
    },
  })
}
