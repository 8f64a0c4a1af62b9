import { join } from 'node:path'
import { buildAll } from '../builds.mjs'
import { root, runChild } from '../child.mjs'
import { provideBrowser } from './browser.ts'

const playwright = join(root, 'node_modules/@playwright/test/cli.js')

/**
 * Runs Playwright with one of e2e's configurations, in a browser that it finds or installs, on the builds as
 * they are now. Returns the exit code; ends this process when it is stopped.
 */
export async function runPlaywright(
  config: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  await buildAll(process.execPath)
  const browser = await provideBrowser()
  const { code, stopped } = await runChild(
    process.execPath,
    [playwright, 'test', '--config', join(root, 'e2e', config), ...args],
    { ...process.env, ...(browser && { CHROME_PATH: browser }), ...env },
  )
  if (stopped) process.exit(code)
  return code
}
