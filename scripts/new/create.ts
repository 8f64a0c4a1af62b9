import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as template from '../../app.config.ts'
import { root } from '../root.ts'
import { lettermark } from './lettermark.ts'
import { restoreOnFailure } from './restore.ts'

/** Only its message is shown. The published command cannot import that of a package. */
export class Refusal extends Error {}

export interface Choices {
  readonly name: string
  /** Providers that the demo plays. */
  readonly providers: readonly string[]
  /** Keeps the list of repositories. */
  readonly sample: boolean
}

// Patterns instead of globs, because npm may run the published command with Node 20.
/** Files that a product owns. */
const APP =
  /^(app\.config\.ts|Dockerfile|\.dockerignore|app\/[^/]+\.ts|app\/web\/([^/]+\.(tsx?|html|css|svg)|pages\/[^/]+\.tsx))$/
/** The list of repositories, with its API. */
const SAMPLE = /^app\/(server\/.+\.ts|web\/repositories\/.+\.tsx?)$/
/** An update replaces it. It installs the packages, so no package can contain it. */
export const SCRIPT = 'scripts/run.mjs'
/** In `template/`, next to what replaces the sample. */
const ALWAYS = /^(e2e\/.+|[^/]+)$/
/** Every product depends on these. */
const PACKAGES = ['admin', 'identity', 'identity-server', 'react', 'server', 'ui'].map(packageName)
/** For development. A product may remove it. */
const DEMO = packageName('demo')
/** A product may add it. */
const KRATOS = packageName('kratos')
/** Workspaces whose dependencies a product needs. */
const WORKSPACES = ['.', 'app/web', 'e2e', 'packages/demo', 'packages/server', 'packages/ui'] as const

/** Copies everything that a product is made of. */
export function copySources(target: string): void {
  const manifests = WORKSPACES.map((folder) => join(folder, 'package.json'))
  const others = [SCRIPT, ...manifests, 'package-lock.json']
  copy(target, (path) => isOwn(path) || others.includes(path) || path.startsWith('template/'))
}

function isOwn(path: string): boolean {
  return APP.test(path) || SAMPLE.test(path)
}

function packageName(name: string): string {
  return `@ostiary/${name}`
}

/** `reading-list` becomes `Reading list`. */
export function titleOf(folder: string): string {
  const words = folder.replaceAll(/[-_.]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Writes a product of this repository's app, with the packages in `vendor/` unless they come from a registry. */
export async function createProduct(target: string, choices: Choices, registry?: string): Promise<void> {
  copy(target, (path) => (choices.sample ? isOwn(path) : APP.test(path)))
  copy(target, (path) => !choices.sample || ALWAYS.test(path), 'template')
  for (const name of ['gitignore', 'npmrc']) {
    cpSync(join(target, name), join(target, `.${name}`))
    rmSync(join(target, name))
  }
  for (const file of ['app.config.ts', 'README.md', 'Dockerfile'])
    edit(join(target, file), (text) => rename(text, choices))
  writeFileSync(join(target, 'app/web/logo.svg'), lettermark(choices.name))
  writeFileSync(join(target, 'package.json'), toJson(manifestOf(choices)))
  await updateProduct(target, registry)
}

/** Files that an update replaces. */
const REPLACED = [SCRIPT, 'vendor', '.npmrc', 'package.json', 'package-lock.json']

/** Replaces what comes from here: `scripts/run.mjs`, and `vendor/` or the versions of the packages. */
export async function updateProduct(target: string, registry?: string): Promise<void> {
  await restoreOnFailure(target, REPLACED, () => replacePackages(target, registry))
}

async function replacePackages(target: string, registry: string | undefined): Promise<void> {
  copy(target, (path) => path === SCRIPT)
  rmSync(join(target, 'vendor'), { recursive: true, force: true })
  const file = join(target, 'package.json')
  const { dependencies, devDependencies } = readManifest(file)
  const added = [DEMO, KRATOS].filter((name) => name in dependencies || name in devDependencies)
  const names = [...PACKAGES, ...added]
  const packages = registry ? publishedPackages(names) : await vendorPackages(target, names)
  setRegistry(target, registry)
  edit(file, (text) => {
    const { [DEMO]: demo, ...others } = packages
    const { [DEMO]: _, ...own } = dependencies
    const manifest = {
      ...(JSON.parse(text) as Manifest),
      dependencies: { ...own, ...others },
      devDependencies: { ...devDependencies, ...(demo && { [DEMO]: demo }) },
    }
    return toJson(manifest)
  })
  lockPackages(target, registry)
}

/** As npm reads it: with spaces and quotes, or without a newline at the end of the file. */
const REGISTRY = /^[ \t]*@ostiary:registry[ \t]*=[ \t]*["']?([^\s"']*).*(?:\n|$)/gm

export function setRegistry(target: string, registry: string | undefined): void {
  const others = readNpmrc(target).replaceAll(REGISTRY, '')
  const lines = others === '' || others.endsWith('\n') ? others : `${others}\n`
  writeFileSync(join(target, '.npmrc'), registry ? `${lines}@ostiary:registry=${registry}\n` : lines)
}

/** Where a product installs the packages from. Undefined with `vendor/`. */
export function findRegistry(target: string): string | undefined {
  const [line] = readNpmrc(target).matchAll(REGISTRY)
  return line?.[1]
}

function readNpmrc(target: string): string {
  const file = join(target, '.npmrc')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

export function isProduct(target: string): boolean {
  const file = join(target, 'package.json')
  if (!existsSync(file)) return false
  const { dependencies = {} }: Partial<Manifest> = readManifest(file)
  // An older one may lack packages of today.
  return packageName('server') in dependencies
}

function publishedPackages(names: readonly string[]): Record<string, string> {
  const { version } = readManifest(join(root, 'package.json'))
  return Object.fromEntries(names.map((name) => [name, `^${version}`]))
}

async function vendorPackages(target: string, names: readonly string[]): Promise<Record<string, string>> {
  const { buildOnce } = await import('@ostiary/server/commands')
  await buildOnce(process.execPath, packed())
  const { version } = readManifest(join(root, 'package.json'))
  return Object.fromEntries(
    names.map((name) => {
      const file = `vendor/${name.slice(1).replace('/', '-')}-${version}.tgz`
      cpSync(join(root, 'dist/packages', basename(file)), join(target, file))
      return [name, `file:${file}`]
    }),
  )
}

const packed = () => ({
  title: 'the packages',
  script: join(root, 'scripts/pack/pack.ts'),
  result: `dist/packages/ostiary-ui-${readManifest(join(root, 'package.json')).version}.tgz`,
  // The server's package contains documents and examples.
  sources: ['packages', 'scripts/pack', 'docs', 'examples', 'deploy'].map((path) => join(root, path)),
})

function copy(target: string, isWanted: (path: string) => boolean, from = '.'): void {
  const folder = join(root, from)
  for (const path of listFiles(folder)) {
    if (!isWanted(path) || /\.test\.|repository-json/.test(path)) continue
    mkdirSync(dirname(join(target, path)), { recursive: true })
    cpSync(join(folder, path), join(target, path))
  }
}

/** Relative, with slashes. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : []
    if (['node_modules', 'dist', 'data', '.git'].includes(entry.name)) return []
    return listFiles(join(folder, entry.name)).map((path) => `${entry.name}/${path}`)
  })
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

/** The product's name also names, for example, its database. */
function rename(text: string, { name, providers }: Choices): string {
  const slug = slugOf(name)
  const unusedProviders = template.demoProviders.filter(({ id }) => !providers.includes(id))
  const renamed = text
    .replaceAll(template.name, name.replaceAll(/['\\]/g, '\\$&'))
    .replaceAll('my-app', slug)
    .replaceAll('my_app', slug.replaceAll('-', '_'))
    .replace('© 2024', `© ${new Date().getFullYear()}`)
  return unusedProviders.reduce(
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
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

const TOOLS = [
  '@playwright/test',
  '@resvg/resvg-wasm',
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
const OWN = ['bench', 'conformance', 'identity', 'new', 'pack', 'screens', 'test:release']

/** Everything that the repository's workspaces need of the registry, at their versions. */
function manifestOf({ name }: Choices) {
  const manifests = WORKSPACES.map((folder) => readManifest(join(root, folder, 'package.json')))
  const [manifest, web] = manifests as [Manifest, Manifest]
  const external = (packages: Readonly<Record<string, string>>) =>
    Object.entries(packages).filter(([one]) => !one.startsWith('@ostiary/'))
  const tools = Object.assign({}, ...manifests.map(({ devDependencies }) => devDependencies))
  return {
    name: slugOf(name),
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: Object.fromEntries(Object.entries(manifest.scripts).filter(([script]) => !OWN.includes(script))),
    dependencies: Object.fromEntries([...external(manifest.dependencies), ...external(web.dependencies)]),
    optionalDependencies: manifest.optionalDependencies,
    devDependencies: Object.fromEntries([DEMO, ...TOOLS].map((tool) => [tool, tools[tool]])),
  }
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest
}

function toJson(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`
}

/** Without the entries of our packages: their versions may be the same, and their bytes not. */
function lockPackages(target: string, registry: string | undefined): void {
  const lock = join(target, 'package-lock.json')
  // The versions that this repository is tested with, and the packages of other platforms.
  if (!existsSync(lock)) cpSync(join(root, 'package-lock.json'), lock)
  edit(lock, (text) => {
    const { packages, ...rest } = JSON.parse(text) as { packages: Record<string, object> }
    const keptPackages = Object.entries(packages).filter(([path]) =>
      /^node_modules\/(?!@(ostiary|my-app)\/)/.test(path),
    )
    return toJson({ ...rest, packages: Object.fromEntries(keptPackages) })
  })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  // A registry may have a newer version than npm's cache knows.
  const cache = registry ? '--prefer-online' : '--prefer-offline'
  const args = [
    'install',
    '--package-lock-only',
    '--loglevel=error',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
    cache,
  ]
  const { status, error, stderr } = spawnSync(npm, args, {
    cwd: target,
    stdio: ['inherit', 'ignore', 'pipe'],
    encoding: 'utf8',
    // npm passes on the configuration of this repository, which allows no files.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name))),
  })
  if (status !== 0)
    throw new Refusal(
      `${error?.message ?? stderr.trim()}\n\nnpm could not write package-lock.json, for the reason above.`,
    )
  // npm has also written what it would have installed. Without the file, the next command installs it.
  rmSync(join(target, 'node_modules/.package-lock.json'), { force: true })
}
