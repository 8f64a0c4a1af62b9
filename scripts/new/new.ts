import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import {
  type Choices,
  createProduct,
  findRegistry,
  isProduct,
  Refusal,
  titleOf,
  updateProduct,
} from './create.ts'
import { checkUpdate, isRepository } from './update.ts'

const COMMAND = isRepository ? 'npm run new -- FOLDER' : 'npm create @ostiary FOLDER --'
const USAGE = `Usage: ${COMMAND} [--name NAME] [--providers github,google] [--sample yes|no] [--registry URL] [--yes].`

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(args: string[]): Promise<void> {
  const { folder, registry: wanted, ...given } = readArguments(args)
  // npm changes to the project's folder and passes the user's as INIT_CWD.
  const target = resolve(process.env.INIT_CWD ?? '.', folder)
  const registry = wanted === 'none' && isRepository ? undefined : (wanted ?? usualRegistry(target))
  if (registry && !/^https?:/.test(registry))
    throw new Refusal(`--registry ${registry} is not a URL such as https://registry.npmjs.org/.`)
  if (isProduct(target)) {
    const versions = checkUpdate(target)
    await updateProduct(target, registry)
    return console.log(`Updated ${folder}: ${versions}\n\n  cd ${folder}\n  npm test`)
  }
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Refusal(`${target} is not empty, and it is not a product made here. Name a new folder.`)
  const choices = await completeChoices(given, target)
  mkdirSync(target, { recursive: true })
  try {
    await createProduct(target, choices, registry)
  } catch (error) {
    // The next try needs an empty folder, which may be the working directory.
    for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true })
    throw error
  }
  begin(target)
  console.log(
    `\n${choices.name} is ready:\n\n  cd ${folder}\n  npm start\n\nThis installs the packages, with the documents that README.md links.`,
  )
}

/** The packed command has no packages to put into `vendor/`. */
function usualRegistry(target: string): string | undefined {
  const otherwise = process.env.npm_config_registry ?? 'https://registry.npmjs.org/'
  return findRegistry(target) ?? (isRepository ? undefined : otherwise)
}

/** With a first commit, if git is here and knows an author. */
function begin(target: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: target, stdio: 'ignore' })
  try {
    git('init', '--initial-branch=main')
    git('add', '--all')
    git('commit', '-m', 'Start')
  } catch {
    // The product works without.
  }
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const
  const options = {
    name: text,
    providers: text,
    sample: text,
    registry: text,
    yes: { type: 'boolean' },
  } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [folder] = positionals
    if (folder !== undefined && positionals.length === 1) return { folder, ...values }
  } catch {
    // An unknown option.
  }
  throw new Refusal(USAGE)
}

type Given = Omit<ReturnType<typeof readArguments>, 'folder' | 'registry'>

/** Asks for what is missing if a terminal can answer. */
async function completeChoices(choices: Given, target: string): Promise<Choices> {
  const asks = process.stdin.isTTY && !choices.yes
  const terminal = asks ? createInterface(process.stdin, process.stdout) : undefined
  const askUnlessGiven = async (question: string, value: string | undefined, fallback: string) =>
    value ?? ((await terminal?.question(`${question} (${fallback}) `)) || fallback)
  try {
    const name = await askUnlessGiven('What is it called?', choices.name, titleOf(basename(target)))
    const providers = await askUnlessGiven(
      'Which sign-in providers does the demo show?',
      choices.providers,
      'github,google',
    )
    const sample = await askUnlessGiven('Keep the sample, a dashboard of repositories?', choices.sample, 'no')
    return { name: name.trim(), providers: namesIn(providers), sample: /^y/i.test(sample) }
  } finally {
    terminal?.close()
  }
}

function namesIn(list: string): string[] {
  const names = list.split(/[\s,]+/).filter((name) => name !== '' && name !== 'none')
  const unknown = names.filter((name) => !['github', 'google'].includes(name))
  if (unknown.length === 0) return names
  throw new Refusal(
    `The demo plays github and google only, not ${unknown.join(', ')}. Settings enable others later.`,
  )
}
