// Restarts the server when a source file changes. On Linux, Node's --watch-path loses a file as soon as Git
// or an editor replaces it instead of writing into it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { watch } from 'chokidar'
import { linkedPackages, sharedFiles } from './builds.mjs'
import { root } from './child.mjs'
import { serverFlags } from './server-process.mjs'

/** A checkout or "save all" changes many files. */
const SETTLE_MS = 50

const watched = [...sharedFiles, 'app/main.ts', 'app/server.ts', 'app/server', ...linkedPackages()]
const sources = watch(
  watched.filter((path) => existsSync(resolve(root, path))),
  {
    cwd: root,
    ignoreInitial: true,
    ignored: (path, stats) =>
      /[/\\](dist|node_modules)$/.test(path) ||
      (stats?.isFile() === true && !/(?<!\.test)\.[tj]s$/.test(path)),
  },
)
await once(sources, 'ready')

let isStopping = false
let isRestarting = false
/** @type {NodeJS.Timeout | undefined} */
let due
let server = start()

sources.on('all', (_event, path) => {
  clearTimeout(due)
  due = setTimeout(restart, SETTLE_MS, path)
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    isStopping = true
    // A terminal signals the server too, which exits at once on a second signal.
    if (signal === 'SIGTERM' || !process.stdin.isTTY) server.kill(signal)
    if (hasExited()) process.exit(server.exitCode ?? 0)
  })
}

function start() {
  const child = spawn(process.execPath, [...serverFlags, 'app/main.ts', '--dev'], {
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

/** @param {string} path */
function restart(path) {
  console.log(`Restarting after a change of ${path} …`)
  if (hasExited()) server = start()
  else isRestarting = server.kill()
}

function hasExited() {
  return server.exitCode !== null || server.signalCode !== null
}
