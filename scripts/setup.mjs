import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Refusal, root, runChild } from './child.mjs'

const OLDEST_NODE = 24

/** @typedef {{ version?: string, integrity?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?: boolean }} Entry */

/**
 * Installs packages that are missing or differ from package-lock.json.
 * @param {{ withTools: boolean }} need whether development packages (Vite, Biome …) are needed
 */
export async function installPackages({ withTools }) {
  if (isInstalled(withTools)) return
  refuseLink()
  console.log('Installing the packages (only when package-lock.json has changed) …')
  // With NODE_ENV=production, npm would omit Vite.
  const args = ['ci', '--include=dev']
  const { code, stopped } = await runNpm(args)
  if (stopped) process.exit(code)
  if (code !== 0) {
    throw new Refusal(
      'The packages could not be installed; npm says why above. Is the package registry within reach? Then run the command again.',
    )
  }
}

/** `npm ci` would empty another project's folder behind a link. */
function refuseLink() {
  const link = lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()
  if (!link) return
  throw new Refusal(
    'node_modules is a link to a folder whose packages differ from package-lock.json. Remove the link and run the command again.',
  )
}

/** @param {boolean} withTools */
function isInstalled(withTools) {
  const wanted = readPackages('package-lock.json')
  const found = readPackages('node_modules/.package-lock.json')
  if (!wanted)
    throw new Refusal('package-lock.json is missing or cannot be read. Get it back with git and try again.')
  if (!found) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true // the root and the workspaces themselves
    const installed = found[path]
    if (!installed) return Boolean(entry.optional || entry.devOptional || (entry.dev && !withTools))
    return installed.version === entry.version && installed.integrity === entry.integrity
  })
}

/**
 * @param {string} file
 * @returns {Record<string, Entry> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return undefined // missing, or cut off by an interrupted install: the same to us
  }
}

/**
 * @param {string[]} args
 * @param {(text: string) => void} [print]
 */
export async function runNpm(args, print) {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env
  try {
    // `npm ci` removes the Node below node_modules.
    if (script && basename(script).startsWith('npm-cli'))
      return await runChild(node, [script, ...args], process.env, print)
    if (process.platform === 'win32')
      return await runChild('cmd', ['/d', '/c', 'npm', ...args], process.env, print)
    return await runChild('npm', args, process.env, print)
  } catch (error) {
    throw new Refusal('npm was not found. Install Node.js with npm (https://nodejs.org) and try again.', {
      cause: error,
    })
  }
}

/** Pinned by the lockfile, or the running one if new enough. */
export function findNode() {
  const windows = process.platform === 'win32'
  const folder = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const pinned = join(root, 'node_modules', folder, 'bin', windows ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  return ownNode()
}

/** Throws if it is too old to run TypeScript. */
export function ownNode() {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath
  throw new Refusal(
    `The app needs Node.js ${OLDEST_NODE} or newer on this platform (${process.platform} ${process.arch}); this is ${process.versions.node}. Install it from https://nodejs.org and try again.`,
  )
}
