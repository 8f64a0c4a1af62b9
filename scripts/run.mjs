// Plain JavaScript without dependencies, like its imports, because it runs before installation,
// under Node 20 or newer.

import { buildAll, isBuilt } from './builds.mjs'
import { Refusal, runChild, runMain } from './child.mjs'
import { commands, helpText } from './commands.mjs'
import { serverEnv } from './server-process.mjs'
import { findNode, installPackages, ownNode } from './setup.mjs'

/** Exit code of scripts/check-settings.ts. */
const INVALID_SETTINGS = 78

await runMain(() => main(process.argv.slice(2)))

/** @param {string[]} argv */
async function main([name, ...args]) {
  const isHelp = name === undefined || ['help', '--help', '-h'].includes(name)
  const wanted = isHelp ? args[0] : name
  const command = wanted === undefined ? undefined : commands[wanted]
  if (wanted !== undefined && !command)
    throw new Refusal(`There is no command "${wanted}".\n\n${helpText(undefined)}`)
  if (!command) return say(helpText(wanted))
  if (isHelp || args.includes('--help') || args.includes('-h')) return await explain(wanted, command)
  if (args.length > 0 && command.isFixed) {
    throw new Refusal(`${command.usage} takes no arguments; settings are in docs/configuration.md.`)
  }
  return await run(command, args)
}

/**
 * @param {string | undefined} name
 * @param {import('./commands.mjs').Command} command
 */
async function explain(name, command) {
  say(helpText(name))
  if (!command.lists || !isBuilt(command.needsBuild ?? [])) return 0
  say('')
  return await run(command, command.lists)
}

/** @param {string} text */
function say(text) {
  console.log(text)
  return 0
}

/**
 * @param {import('./commands.mjs').Command} command
 * @param {string[]} args
 */
async function run(command, args) {
  const { needsBuild: names = [] } = command
  const needsBuild = !isBuilt(names)
  const isUnchecked = command.checksSettings && needsBuild && !(await checkSettings(process.execPath))
  await installPackages({ withTools: needsBuild || command.needsTools === true })
  const node = findNode()
  try {
    if (isUnchecked) await checkSettings(node)
    if (needsBuild) await buildAll(node, names)
    return await launch(node, command, args)
  } catch (error) {
    // For example with musl instead of glibc.
    const cannotRun = /** @type {NodeJS.ErrnoException} */ (error).syscall?.startsWith('spawn')
    if (!cannotRun || node === process.execPath) throw error
    const own = ownNode()
    if (needsBuild) await buildAll(own, names)
    return await launch(own, command, args)
  }
}

/**
 * Throws if settings are invalid. Returns whether the packages that read them are installed.
 * @param {string} node
 */
async function checkSettings(node) {
  let report = ''
  const args = ['scripts/check-settings.ts', `${INVALID_SETTINGS}`]
  const { code } = await runChild(node, args, process.env, (text) => {
    report += text
  })
  if (code === INVALID_SETTINGS) throw new Refusal(report)
  return code === 0
}

/**
 * @param {string} node
 * @param {import('./commands.mjs').Command} command
 * @param {string[]} args
 */
async function launch(node, command, args) {
  const env = command.serves ? serverEnv() : process.env
  const { code } = await runChild(node, [...command.node, ...args], env)
  return code
}
