import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as template from '../../app.config.ts'
import { buildAll } from '../builds.mjs'
import { Refusal, root } from '../child.mjs'

export interface Choices {
  readonly name: string
  /** Providers that the demo plays. */
  readonly providers: readonly string[]
  /** Keeps the list of repositories. */
  readonly sample: boolean
}

/** Files that a product owns. */
const APP = [
  'app.config.ts',
  'app/*.ts',
  'app/web/*.{ts,tsx,html,css,svg}',
  'app/web/pages/*.tsx',
  'Dockerfile',
]
/** The list of repositories, with its API. */
const SAMPLE = ['app/server/**/*.ts', 'app/web/repositories/*.{ts,tsx}']
/** Its commands, which an update replaces. They install the packages, so no package can bring them. */
const SCRIPTS = [
  'scripts/{run,child,setup,commands,builds,server-process,serve,dev,image}.mjs',
  'scripts/check-settings.ts',
  '.dockerignore',
]
/** Instead of the sample's. */
const WITHOUT_SAMPLE = ['app/**']
const ALWAYS = ['e2e/**', 'scripts/**', '*', '.*']

/** `reading-list` becomes `Reading list`. */
export function titleOf(folder: string): string {
  const words = folder.replaceAll(/[-_.]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Writes a product of this repository's app, with the packages in `vendor/`. */
export async function createProduct(target: string, choices: Choices): Promise<void> {
  copy(target, [...APP, ...(choices.sample ? SAMPLE : [])])
  copy(target, choices.sample ? ALWAYS : [...ALWAYS, ...WITHOUT_SAMPLE], 'template')
  for (const name of ['gitignore', 'npmrc']) {
    cpSync(join(target, name), join(target, `.${name}`))
    rmSync(join(target, name))
  }
  for (const file of globSync(['app.config.ts', 'README.md', 'Dockerfile'], { cwd: target }))
    edit(join(target, file), (text) => rename(text, choices))
  writeFileSync(join(target, 'package.json'), toJson(manifestOf(choices)))
  await updateProduct(target)
}

/** Replaces what comes from here: `vendor/` and `scripts/`. */
export async function updateProduct(target: string): Promise<void> {
  copy(target, SCRIPTS)
  copy(target, ['scripts/**'], 'template')
  await buildAll(process.execPath, ['packages'])
  rmSync(join(target, 'vendor'), { recursive: true, force: true })
  cpSync(join(root, 'dist/packages'), join(target, 'vendor'), { recursive: true })
  rmSync(join(target, 'vendor/.sources'))
  edit(join(target, 'package.json'), (text) => {
    const manifest = JSON.parse(text) as Manifest
    return toJson({ ...manifest, dependencies: { ...manifest.dependencies, ...vendored(target) } })
  })
  lockPackages(target)
}

function copy(target: string, patterns: readonly string[], from = '.'): void {
  const folder = join(root, from)
  for (const file of globSync(patterns, { cwd: folder, withFileTypes: true })) {
    const path = join(file.parentPath, file.name).slice(folder.length)
    if (!file.isFile() || /\.test\.|\/dist\/|repository-json/.test(path)) continue
    mkdirSync(dirname(join(target, path)), { recursive: true })
    cpSync(join(folder, path), join(target, path))
  }
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

/** The product's name also names, for example, its database. */
function rename(text: string, { name, providers }: Choices): string {
  const slug = slugOf(name)
  const left = template.demoProviders.filter(({ id }) => !providers.includes(id))
  const renamed = text
    .replaceAll(template.name, name.replaceAll(/['\\]/g, '\\$&'))
    .replaceAll(/(?<!@)my-app/g, slug)
    .replaceAll('my_app', slug.replaceAll('-', '_'))
    .replace('© 2024', `© ${new Date().getFullYear()}`)
  return left.reduce(
    (edited, { id, label }) => edited.replace(`  { id: '${id}', label: '${label}' },\n`, ''),
    renamed,
  )
}

export function slugOf(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z\d]+/g, '-')
  return words.replaceAll(/^-|-$/g, '') || 'app'
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

const TOOLS = [
  '@playwright/test',
  '@tailwindcss/vite',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  '@vitejs/plugin-react',
  'axe-core',
  'chokidar',
  'oidc-provider',
  'tailwindcss',
  'typescript',
  'vite',
]

/** Commands of this repository only. */
const OWN = ['bench', 'conformance', 'identity', 'new', 'pack', 'screens']

/** Everything that the repository's workspaces need of the registry, at their versions. */
function manifestOf({ name }: Choices) {
  const folders = ['.', 'app/web', 'e2e', 'packages/server', 'packages/ui'] as const
  const [own, web, e2e, server, ui] = folders.map(
    (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest,
  ) as [Manifest, Manifest, Manifest, Manifest, Manifest]
  const outside = (packages: Readonly<Record<string, string>>) =>
    Object.entries(packages).filter(([one]) => !one.startsWith('@ostiary/'))
  const tools = {
    ...own.devDependencies,
    ...web.devDependencies,
    ...e2e.devDependencies,
    ...server.devDependencies,
    ...ui.devDependencies,
  }
  return {
    name: slugOf(name),
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: Object.fromEntries(Object.entries(own.scripts).filter(([script]) => !OWN.includes(script))),
    dependencies: Object.fromEntries([...outside(own.dependencies), ...outside(web.dependencies)]),
    optionalDependencies: own.optionalDependencies,
    devDependencies: Object.fromEntries(TOOLS.map((tool) => [tool, tools[tool]])),
  }
}

function vendored(target: string): Record<string, string> {
  const files = globSync('ostiary-*.tgz', { cwd: join(target, 'vendor') }).toSorted()
  return Object.fromEntries(
    files.map((file) => [`@ostiary/${/^ostiary-(.*)-\d/.exec(file)?.[1]}`, `file:vendor/${file}`]),
  )
}

function toJson(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`
}

/** Without the entries of the packages in `vendor/`: their versions may be the same, and their bytes not. */
function lockPackages(target: string): void {
  const lock = join(target, 'package-lock.json')
  // The versions that this repository is tested with, and the packages of other platforms.
  if (!existsSync(lock)) cpSync(join(root, 'package-lock.json'), lock)
  edit(lock, (text) => {
    const { packages, ...rest } = JSON.parse(text) as { packages: Record<string, object> }
    const kept = Object.entries(packages).filter(([path]) =>
      /^node_modules\/(?!@(ostiary|my-app)\/)/.test(path),
    )
    return toJson({ ...rest, packages: Object.fromEntries(kept) })
  })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  try {
    execFileSync(npm, ['install', '--package-lock-only', '--silent', '--prefer-offline'], {
      cwd: target,
      stdio: 'inherit',
      // npm passes on the configuration of this repository, which allows no files.
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name))),
    })
  } catch (cause) {
    throw new Refusal('npm could not write package-lock.json. Is the package registry within reach?', {
      cause,
    })
  }
}
