// Installs the packages, then runs a command of @ostiary/server. Plain JavaScript without dependencies, because it
// runs before installation, under Node 20 or newer.
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM']

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Entry */

await installPackages({ withTools: false })
const { runCommand } = await import('@ostiary/server/commands')
const own = new URL('commands.mjs', import.meta.url)
const { commands = {} } = existsSync(own) ? await import(own.href) : {}
await runCommand(process.argv.slice(2), {
  commands,
  installTools: () => installPackages({ withTools: true }),
})

/**
 * Installs packages that are missing or differ from package-lock.json.
 * @param {{ withTools: boolean }} need whether development packages (Vite, Biome …) are needed
 */
async function installPackages({ withTools }) {
  if (isInstalled(withTools)) return
  if (lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink())
    // `npm ci` would empty another project's folder.
    refuse(
      'node_modules is a link to a folder whose packages differ from package-lock.json. Remove the link and run the command again.',
    )
  // A signal takes effect once npm has ended: the next start would find it still writing.
  const stop = () => process.exit(1)
  for (const signal of SIGNALS) process.on(signal, stop)
  console.log('Installing the packages of package-lock.json, which takes about a minute …')
  // With NODE_ENV=production, npm would omit Vite.
  const { error, status } = runNpm(['ci', '--include=dev'])
  await setImmediate()
  for (const signal of SIGNALS) process.off(signal, stop)
  if (error) refuse('npm was not found. Install Node.js with npm (https://nodejs.org) and try again.')
  if (status === 0) return
  refuse(
    'The packages could not be installed; npm says why above. Is the package registry within reach? Then run the command again.',
  )
}

/** @param {boolean} withTools */
function isInstalled(withTools) {
  const wanted = readPackages('package-lock.json')
  const found = readPackages('node_modules/.package-lock.json')
  if (!wanted)
    return refuse('package-lock.json is missing or cannot be read. Get it back with git and try again.')
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
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined // missing, or cut off by an interrupted install: the same to us
  }
}

/** @param {string[]} args */
function runNpm(args) {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env
  // `npm ci` removes the Node below node_modules.
  if (script && basename(script).startsWith('npm-cli'))
    return spawnSync(node, [script, ...args], { stdio: 'inherit' })
  if (process.platform === 'win32')
    return spawnSync('cmd', ['/d', '/c', 'npm', ...args], { stdio: 'inherit' })
  return spawnSync('npm', args, { stdio: 'inherit' })
}

/**
 * @param {string} reason
 * @returns {never}
 */
function refuse(reason) {
  console.error(reason)
  process.exit(1)
}
