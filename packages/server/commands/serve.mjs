// The first process of a container or systemd unit: signals reach it without a package manager or
// shell in between.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandText, productCommands } from './commands.mjs'
import { serverEnv, serverFlags } from './server-process.mjs'

const root = join(import.meta.dirname, '..')
const main = join(root, 'app/dist/server/main.mjs')

if (!existsSync(main)) {
  console.error('The server is not built. Run `npm run image -- FOLDER`, which copies this script beside it.')
  process.exit(1)
}
const script = `${process.execPath} ${process.argv[1]}`
let args = process.argv.slice(2)
const [name = '', ...options] = args
const command = productCommands[name]
if (command?.node.at(-1) === name && options.some((option) => option === '--help' || option === '-h')) {
  const usage = command.usage.replace('npm run', script).replaceAll('-- ', '')
  console.log(commandText({ ...command, usage }))
  if (!command.lists) process.exit()
  args = [name, ...command.lists]
}
// libuv's thread pool and V8's flags are fixed before a program runs. The server replaces this
// process and keeps its id.
process.execve?.(process.execPath, [process.execPath, ...serverFlags, main, ...args], {
  ...serverEnv(process.env, root),
  START_SCRIPT: script,
})
console.error('scripts/serve.mjs needs Node.js 24 on Linux or macOS. Use `npm start` elsewhere.')
process.exit(1)
