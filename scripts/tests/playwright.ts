import { join } from 'node:path'
import { buildAll } from '../builds.mjs'
import { root, runChild } from '../child.mjs'
import { provideBrowser } from './browser.ts'
import { colours } from './print.ts'

const playwright = join(root, 'node_modules/@playwright/test/cli.js')

interface Options {
  readonly env?: NodeJS.ProcessEnv
  /** Takes the output, which else goes to the terminal. */
  readonly print?: (text: string) => void
}

/**
 * Runs Playwright with one of e2e's configurations, in a browser that it finds or installs, on the builds as
 * they are now. Returns the exit code; ends this process when it is stopped.
 */
export async function runPlaywright(
  config: string,
  args: readonly string[],
  { env = {}, print }: Options = {},
): Promise<number> {
  await buildAll(process.execPath)
  const browser = await provideBrowser()
  const { code, stopped } = await runChild(
    process.execPath,
    [playwright, 'test', '--config', join(root, 'e2e', config), ...args],
    { ...process.env, ...colours(), ...(browser && { CHROME_PATH: browser }), ...env },
    print,
  )
  if (stopped) process.exit(code)
  return code
}
