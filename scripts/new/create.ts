import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Refusal, root } from '../child.mjs'
import { adaptProject, slugOf } from './adapt.ts'
import { filesOfProduct } from './files.ts'
import { cutMarked } from './marks.ts'

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
  const files = filesOfProduct(trackedFiles(), choices)
  for (const file of files) copyFile(file, target, choices)
  if (!choices.sample) cpSync(join(root, 'template'), target, { recursive: true })
  assertImportsExist(target, files)
  adaptProject(target, choices)
  format(target)
  lockPackages(target)
}

/** Outside of `packages/`, the product's name replaces `my-app`, for example in the name of the database. */
function copyFile(file: string, target: string, choices: Choices): void {
  const slug = slugOf(choices.name)
  const rename = (text: string) =>
    text.replaceAll(/(?<!@)my-app/g, slug).replaceAll('my_app', slug.replaceAll('-', '_'))
  const isEngine = /^packages\/|^docs\/upgrading/.test(file)
  const copy = join(target, isEngine ? file : rename(file))
  mkdirSync(dirname(copy), { recursive: true })
  cpSync(join(root, file), copy)
  if (isEngine) return
  // Unlike UTF-8, this encoding preserves images.
  writeFileSync(copy, rename(cutMarked(readFileSync(copy, 'latin1'), file, choices)), 'latin1')
}

/** Throws if an import of what the product leaves out lacks its mark. */
function assertImportsExist(target: string, files: readonly string[]): void {
  for (const file of files.filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.startsWith('packages/')))
    for (const [index, line] of readFileSync(join(target, file), 'utf8').split('\n').entries()) {
      const imported = join(dirname(file), / from '(\.[^']+)'/.exec(line)?.[1] ?? '')
      if (existsSync(join(root, imported)) && !existsSync(join(target, imported)))
        throw new Error(`${file}:${index + 1} imports ${imported}, which a product lacks. Mark the import.`)
    }
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
