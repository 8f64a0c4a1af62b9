import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Refusal, root, runChild } from './child.mjs'
import { fileOf } from './node.mjs'

/** Chrome or Chromium. The headless shell comes first, at a fraction of the full browser's cost. */
export function findBrowser() {
  const { CHROME_PATH: named } = process.env
  if (named && !existsSync(named))
    throw new Refusal(`CHROME_PATH names ${named}, and there is no such file. Correct it, or remove it.`)
  return named || usualPaths().find((path) => existsSync(path) && starts(path))
}

/** Playwright's own, unless it is installed. */
export async function installBrowser() {
  console.log("Looking for Playwright's own Chromium, and installing it if it is missing …")
  const args = [fileOf('@playwright/test', 'cli.js'), 'install', 'chromium', '--only-shell']
  const { code, stopped } = await runChild(process.execPath, args)
  if (stopped) process.exit(code)
  if (code === 0) return undefined
  throw new Refusal(
    'There is no browser for the journeys. Install Chrome or Chromium, or set CHROME_PATH to one, and try again.',
  )
}

function usualPaths() {
  if (process.platform === 'darwin')
    return ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
  if (process.platform === 'win32') {
    const { ProgramFiles = '', 'ProgramFiles(x86)': older = '', LOCALAPPDATA = '' } = process.env
    return [ProgramFiles, older, LOCALAPPDATA].map((at) => join(at, 'Google/Chrome/Application/chrome.exe'))
  }
  const shell = 'chromium-headless-shell'
  const names = [shell, 'google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser']
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/**
 * `chromium-browser` may only print where to get it. On Windows it would open a window.
 * @param {string} path
 */
function starts(path) {
  if (process.platform !== 'linux') return true
  return spawnSync(path, ['--version'], { timeout: 120_000 }).status === 0
}
