// Plain JavaScript for Node 20 or newer, like its imports. The commands themselves run under Node 24.
import { existsSync, readFileSync } from 'node:fs'
import { buildAll, isBuilt } from './builds.mjs'
import { Refusal, runChild, runMain } from './child.mjs'
import { commandText, helpText, productCommands } from './commands.mjs'
import { findNode, ownNode } from './node.mjs'
import { serverEnv } from './server-process.mjs'

/** Variables of the environment come first. */
const ENV_FILE = '.env'

/** @typedef {import('./commands.mjs').Command} Command */

/**
 * @typedef {object} Project
 * @property {Readonly<Record<string, Command>>} [commands] its own, besides those of every product or instead of them
 * @property {() => Promise<void>} [installTools] installs what only builds and development need
 */

/**
 * Runs a command in the present folder, and sets the exit code.
 *
 * @param {string[]} argv the name of a command and its arguments
 * @param {Project} project
 * @example await runCommand(process.argv.slice(2), {})
 */
export async function runCommand(argv, project) {
  // As in `npm run help | head`.
  process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1))
  await runMain(() => main(argv, project))
}

/**
 * @param {string[]} argv
 * @param {Project} project
 */
async function main([name, ...args], { commands: own = {}, installTools = async () => {} }) {
  const commands = { ...productCommands, ...own }
  const isHelp = name === undefined || ['help', '--help', '-h'].includes(name)
  const wanted = isHelp ? args[0] : name
  const command = wanted === undefined ? undefined : commands[wanted]
  if (wanted !== undefined && !command)
    throw new Refusal(`There is no command "${wanted}".\n\n${helpText(commands)}`)
  if (!command) return say(helpText(commands))
  const given = [...args, ...droppedArguments(name ?? '')]
  if (isHelp || given.includes('--help') || given.includes('-h')) return await explain(command, installTools)
  if (command.isFixed && given.length > 0) {
    throw new Refusal(
      `${command.usage} takes no arguments. Settings are environment variables, which npm run help start lists.`,
    )
  }
  return await run(command, args, installTools)
}

/**
 * Arguments that `exec` in the script of npm has dropped. On Linux, npm's title still has them.
 * @param {string} name
 */
function droppedArguments(name) {
  if (process.env.npm_lifecycle_event !== name) return []
  try {
    const title = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8')
    const [, text = ''] = new RegExp(`^npm (?:run(?:-script)? )?${name} ([^\\0]*)`).exec(title) ?? []
    return text.split(' ').filter(Boolean)
  } catch {
    return []
  }
}

/**
 * @param {Command} command
 * @param {() => Promise<void>} installTools
 */
async function explain(command, installTools) {
  say(commandText(command))
  if (!command.lists) return 0
  say('')
  return await run({ ...command, needsBuild: ['server'] }, command.lists, installTools)
}

/** @param {string} text */
function say(text) {
  console.log(text)
  return 0
}

/**
 * @param {Command} command
 * @param {string[]} args
 * @param {() => Promise<void>} installTools
 */
async function run(command, args, installTools) {
  const { needsBuild: names = [] } = command
  const needsBuild = !isBuilt(names)
  if (needsBuild || command.needsTools) await installTools()
  const node = findNode()
  try {
    return await launch(node, command, args, needsBuild)
  } catch (error) {
    // For example with musl instead of glibc.
    const cannotRun = /** @type {NodeJS.ErrnoException} */ (error).syscall?.startsWith('spawn')
    if (!cannotRun || node === process.execPath) throw error
    return await launch(ownNode(), command, args, needsBuild)
  }
}

/**
 * @param {string} node
 * @param {Command} command
 * @param {string[]} args
 * @param {boolean} needsBuild
 */
async function launch(node, command, args, needsBuild) {
  const variables = command.readsSettings && existsSync(ENV_FILE) ? [`--env-file=${ENV_FILE}`] : []
  if (variables.length > 0) assertReadable(ENV_FILE)
  if (needsBuild) await buildAll(node, command.needsBuild)
  const env = command.serves ? serverEnv() : process.env
  const { code } = await runChild(node, [...variables, ...command.node, ...args], env)
  return code
}

/**
 * Node ignores lines that it cannot read.
 * @param {string} file
 */
function assertReadable(file) {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refusal(
      `${file} cannot be read as a file (${/** @type {NodeJS.ErrnoException} */ (error).code}).`,
    )
  }
  if (text.startsWith('\ufeff'))
    throw new Refusal(
      `${file} begins with a byte-order mark, which hides its first line. Save it without one.`,
    )
  // A value in quotes may have several lines.
  const lines = text
    .replace(/=[ \t]*(["'`])[\s\S]*?\1/g, (value) => value.replace(/[^\n=]/g, ''))
    .split(/\r?\n/)
  const wrong = lines.findIndex((line) => !/^\s*(#.*|(export\s+)?[^\s=#]+\s*=.*)?$/.test(line)) + 1
  if (wrong > 0) throw new Refusal(`${file}, line ${wrong}: write NAME=VALUE, or # before a comment.`)
}
