import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { Refusal, runMain } from '../child.mjs'
import type { Choices } from './create.ts'
import { createProject, titleOf } from './create.ts'
import { commitFirst, commitUpgrade } from './history.ts'

const USAGE =
  'Usage: npm run new -- FOLDER [--name NAME] [--providers github,google] [--sample yes|no]. npm run new -- --help explains it.'

await runMain(() => main(process.argv.slice(2)))

async function main(args: string[]): Promise<void> {
  const { folder, ...given } = readArguments(args)
  // npm changes to the project's folder and passes the user's as INIT_CWD.
  const target = resolve(process.env.INIT_CWD ?? '.', folder)
  const earlier = readChoices(target)
  if (earlier) {
    commitUpgrade(target, earlier)
    return console.log(`The branch "template" has this version. In ${folder}, run: git merge template`)
  }
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Refusal(`${target} is not empty, and it is not a product of this template. Name a new folder.`)
  const choices = await completeChoices(given, target)
  createProject(target, choices)
  commitFirst(target)
  console.log(
    `\n${choices.name} is ready:\n\n  cd ${folder}\n  npm start\n\nThen read docs/build-your-own.md.`,
  )
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const
  const options = { name: text, providers: text, sample: text }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [folder] = positionals
    if (folder !== undefined && positionals.length === 1) return { folder, ...values }
  } catch {
    // An unknown option.
  }
  throw new Refusal(USAGE)
}

/** Returns what `target` was made with, if this command made it. */
function readChoices(target: string): Choices | undefined {
  const file = join(target, 'package.json')
  if (!existsSync(file)) return undefined
  return (JSON.parse(readFileSync(file, 'utf8')) as { template?: Choices }).template
}

interface Given {
  readonly name?: string
  readonly providers?: string
  readonly sample?: string
}

/** Asks for what is missing if a terminal can answer. */
async function completeChoices(given: Given, target: string): Promise<Choices> {
  const terminal = process.stdin.isTTY ? createInterface(process.stdin, process.stdout) : undefined
  const ask = async (question: string, value: string | undefined, usual: string) =>
    value ?? ((await terminal?.question(`${question} (${usual}) `)) || usual)
  try {
    const name = await ask('What is it called?', given.name, titleOf(basename(target)))
    const providers = await ask(
      'Which sign-in providers does the demo show?',
      given.providers,
      'github,google',
    )
    const sample = await ask('Keep the sample, a dashboard of repositories?', given.sample, 'no')
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
