// Restarts the server when a source file changes. On Linux, Node's --watch-path loses a file as soon as Git
// or an editor replaces it instead of writing into it.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './child.mjs'
import { serverFlags } from './server-process.mjs'

/** A checkout or "save all" changes many files. */
const SETTLE_MS = 200

let isStopping = false
let isRestarting = false
/** @type {NodeJS.Timeout | undefined} */
let due
let server = start()

watchFolder('.', (name) => name === 'app.config.ts')
for (const folder of ['app/server/src', 'packages']) watchTree(folder)
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    isStopping = true
    // A terminal signals the server too, which exits at once on a second signal.
    if (signal === 'SIGTERM' || !process.stdin.isTTY) server.kill(signal)
    if (hasExited()) process.exit(server.exitCode ?? 0)
  })
}

function start() {
  const child = spawn(process.execPath, [...serverFlags, 'app/server/src/main.ts', '--dev'], {
    cwd: root,
    stdio: 'inherit',
  })
  child.once('exit', (code) => {
    if (isStopping) process.exit(code ?? 0)
    if (isRestarting) server = start()
    else console.log('The server has stopped. The next change starts it again.')
    isRestarting = false
  })
  return child
}

/** @param {string} folder */
function watchTree(folder) {
  watchFolder(folder, (name) => /(?<!\.test)\.(ts|js)$/.test(name))
  for (const name of foldersIn(folder)) watchTree(join(folder, name))
}

/**
 * @param {string} folder
 * @param {(name: string) => boolean} isSource
 */
function watchFolder(folder, isSource) {
  watch(join(root, folder), (event, name) => {
    if (name === null) return
    if (isSource(name)) restartSoon(join(folder, name))
    else if (event === 'rename' && folder !== '.' && foldersIn(folder).includes(name)) {
      watchTree(join(folder, name))
      restartSoon(join(folder, name))
    }
  })
}

/** @param {string} folder */
function foldersIn(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
    .map(({ name }) => name)
}

/** @param {string} path */
function restartSoon(path) {
  clearTimeout(due)
  due = setTimeout(() => {
    console.log(`Restarting after a change of ${path} …`)
    if (hasExited()) server = start()
    else isRestarting = server.kill()
  }, SETTLE_MS)
}

function hasExited() {
  return server.exitCode !== null || server.signalCode !== null
}
