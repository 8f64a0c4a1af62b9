import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { provide } from '@ostiary/identity/testing/servers/provide'
import { Refusal, runChild } from '@ostiary/server/commands'
import { root } from '../root.ts'

/** Chrome or Chromium. @returns its path, or undefined for Playwright's own */
export async function provideBrowser(): Promise<string | undefined> {
  const namedPath = process.env.CHROME_PATH
  if (namedPath && !existsSync(namedPath)) {
    throw new Refusal(`CHROME_PATH names ${namedPath}, and there is no such file. Correct it, or remove it.`)
  }
  if (namedPath) return namedPath
  const shell = provide(findShell, 'chromium-headless-shell', 'fonts-liberation')
  return shell ?? findBrowser(wholeBrowsers()) ?? (await installWithPlaywright())
}

/** Headless, at a fraction of the full browser's cost. */
function findShell(): string | undefined {
  return findBrowser(onPath(['chromium-headless-shell']))
}

function findBrowser(candidates: readonly string[]): string | undefined {
  return candidates.find((path) => existsSync(path) && starts(path))
}

function wholeBrowsers(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
  }
  if (process.platform === 'win32') {
    const { ProgramFiles = '', 'ProgramFiles(x86)': older = '', LOCALAPPDATA = '' } = process.env
    return [ProgramFiles, older, LOCALAPPDATA].map((at) => join(at, 'Google/Chrome/Application/chrome.exe'))
  }
  return onPath(['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'])
}

function onPath(names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

// `chromium-browser` may only print where to get it. On Windows it would open a window.
function starts(path: string): boolean {
  if (process.platform !== 'linux') return true
  return spawnSync(path, ['--version'], { timeout: 120_000 }).status === 0
}

async function installWithPlaywright(): Promise<undefined> {
  console.log("Looking for Playwright's own Chromium, and installing it if it is missing …")
  const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium', '--only-shell']
  const { code, stopped } = await runChild(process.execPath, args)
  if (stopped) process.exit(code)
  if (code === 0) return undefined
  throw new Refusal(
    'There is no browser for the journeys. Install Chrome or Chromium, or set CHROME_PATH to one, and try again.',
  )
}
