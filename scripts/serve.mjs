// The built server as the first process of a container or a systemd unit: no package manager and no shell in between,
// so signals reach it. It needs the builds, the packages outside of them and Node, and installs nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './child.mjs'
import { serverEnv, serverFlags } from './server-process.mjs'

const main = join(root, 'app/server/dist/main.mjs')

if (!existsSync(main)) {
  console.error('The server is not built. Run `npm start` once, or `npm run image -- FOLDER`.')
  process.exit(1)
}
// The size of libuv's thread pool and V8's flags are fixed before the first line of a program runs, so this one is
// replaced by the server: same process id, same terminal.
process.execve?.(process.execPath, [process.execPath, ...serverFlags, main, ...process.argv.slice(2)], {
  ...serverEnv(),
})
console.error('scripts/serve.mjs needs Node.js 24 on Linux or macOS. Use `npm start` elsewhere.')
process.exit(1)
