import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Refusal, root } from '../child.mjs'
import { adaptProject, isEngineOnly, slugOf } from './adapt.ts'
import { removeSample } from './remove-sample.ts'

/** Stored in the product's package.json, so that an upgrade repeats them. */
export interface Choices {
  readonly name: string
  /** Providers that the demo plays. */
  readonly providers: readonly string[]
  /** Keeps the list of repositories and the pages that describe the template. */
  readonly sample: boolean
}

/** `reading-list` becomes `Reading list`. */
export function titleOf(folder: string): string {
  const words = folder.replaceAll(/[-_.]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Writes the product of this template. */
export function createProject(target: string, choices: Choices): void {
  for (const file of trackedFiles().filter((file) => !isEngineOnly(file))) copyFile(file, target, choices)
  if (!choices.sample) removeSample(target)
  adaptProject(target, choices)
  format(target)
  lockPackages(target)
}

/** Outside of `packages/`, the product's name replaces `my-app`, for example in the name of the database. */
function copyFile(file: string, target: string, { name }: Choices): void {
  const rename = (text: string) =>
    text.replaceAll(/(?<!@)my-app/g, slugOf(name)).replaceAll('my_app', slugOf(name).replaceAll('-', '_'))
  const isEngine = /^packages\/|^docs\/upgrading/.test(file)
  const copy = join(target, isEngine ? file : rename(file))
  mkdirSync(dirname(copy), { recursive: true })
  cpSync(join(root, file), copy)
  // Unlike UTF-8, this encoding preserves images.
  if (!isEngine) writeFileSync(copy, rename(readFileSync(copy, 'latin1')), 'latin1')
}

function trackedFiles(): string[] {
  const names = git(['ls-files'], root).split('\n')
  return names.filter((file) => existsSync(join(root, file)))
}

const EDITED = ['app', 'e2e', 'scripts', 'app.config.ts', 'package.json', 'knip.json']

/** Edits leave lists that fit on one line, and blank lines. */
function format(target: string): void {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  execFileSync(process.execPath, [biome, 'check', '--write', '--diagnostic-level=error', ...EDITED], {
    cwd: target,
    stdio: 'inherit',
  })
}

function lockPackages(target: string): void {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = [
    'install',
    '--package-lock-only',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--silent',
    '--prefer-offline',
  ]
  try {
    execFileSync(npm, args, { cwd: target, stdio: 'inherit' })
  } catch (cause) {
    rmSync(join(target, 'package-lock.json'), { force: true })
    throw new Refusal('npm could not update package-lock.json. Is the package registry within reach?', {
      cause,
    })
  }
}

/** Returns what git prints. */
export function git(args: readonly string[], cwd: string): string {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (cause) {
    const reason = (cause as { stderr?: string }).stderr ?? ''
    throw new Refusal(`git ${args[0]} failed in ${cwd}: ${reason.trim()}`, { cause })
  }
}
