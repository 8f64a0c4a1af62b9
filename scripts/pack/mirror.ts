import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../root.ts'

interface Manifest {
  readonly version: string
  readonly private?: true
  readonly scripts?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * Writes the folder to publish: each source as JavaScript and declarations, at its own path, with what else lies
 * between the sources. Tests and their kits stay private.
 *
 * @param folder of the package in the repository
 * @param parts folders of sources
 */
export function mirrorPackage(folder: string, parts: readonly string[]): void {
  const [source, dist] = [join(root, folder), join(root, folder, 'dist')]
  rmSync(dist, { recursive: true, force: true })
  compile(source, dist, parts)
  const others = parts.map((part) => `${part}/**/*.{css,svg,html,js,mjs,gz}`)
  for (const file of globSync([...others, '*.html'], { cwd: source })) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    copyFileSync(join(source, file), join(dist, file))
  }
  for (const page of globSync('*.html', { cwd: dist })) change(join(dist, page), toJavaScript)
  for (const file of globSync('**/*.d.ts', { cwd: dist })) change(join(dist, file), toJavaScript)
  copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published(manifest, dist), undefined, 2)}\n`)
}

/** Writes JavaScript and declarations. With `preserveSymlinks`, sources of other packages are theirs to emit. */
export function compile(source: string, dist: string, parts: readonly string[]): void {
  // Builds compare the folders of sources, so nothing is written there.
  const config = join(dist, 'tsconfig.build.json')
  mkdirSync(dist, { recursive: true })
  const isWeb = globSync(join(source, 'src/**/*.tsx')).length > 0
  const compilerOptions = {
    noEmit: false,
    // `npm run check` has checked them.
    noCheck: true,
    outDir: dist,
    rootDir: source,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    preserveSymlinks: true,
    allowJs: false,
    checkJs: false,
    lib: ['esnext', 'dom', 'dom.iterable'],
    ...(isWeb && {
      jsx: 'react-jsx',
      module: 'preserve',
      moduleResolution: 'bundler',
      types: ['vite/client', 'node'],
    }),
  }
  const include = parts.map((part) => join(source, part))
  const exclude = ['**/*.test.*', 'src/testing'].map((pattern) => join(source, pattern))
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include, exclude }),
  )
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' })
  } finally {
    rmSync(config)
  }
}

function change(file: string, edit: (text: string) => string): void {
  writeFileSync(file, edit(readFileSync(file, 'utf8')))
}

/** Of paths in quotation marks. */
function toJavaScript(text: string): string {
  return text.replaceAll(/(?<=["'][^"'\n]*)\.tsx?(?=["'])/g, '.js')
}

/** A second copy in a product would break contexts and `instanceof`. */
const PEERS = /^(react|react-dom|react-router|@tanstack\/react-query|hono|zod)$/

/**
 * Packages of one release depend on each other exactly. Imports of builds and development come
 * from the product: development dependencies of this repository become optional peers.
 */
function published(manifest: Manifest, dist: string) {
  const { private: _, scripts: __, devDependencies = {}, exports = {}, dependencies = {}, ...rest } = manifest
  const imported = importsOf(dist)
  const tools = Object.entries(devDependencies).filter(([name]) => imported.has(name))
  const publicEntries = Object.entries(exports).filter(([entry]) => !entry.startsWith('./testing/'))
  const isPeer = ([name]: [string, string]) => PEERS.test(name)
  const range = ([name, version]: [string, string]) =>
    [name, name.startsWith('@ostiary/') ? manifest.version : `^${version}`] as const
  const peers = [...Object.entries(dependencies).filter(isPeer), ...tools]
  return {
    engines: { node: '>=24' },
    ...rest,
    exports: Object.fromEntries(publicEntries.map(([entry, source]) => [entry, target(source)])),
    dependencies: Object.fromEntries(
      Object.entries(dependencies)
        .filter((one) => !isPeer(one))
        .map(range),
    ),
    peerDependencies: Object.fromEntries(peers.map(range)),
    peerDependenciesMeta: Object.fromEntries(tools.map(([name]) => [name, { optional: true }])),
    publishConfig: { access: 'public' },
  }
}

function importsOf(dist: string): Set<string> {
  const names = globSync('**/*.{js,mjs}', { cwd: dist }).flatMap((file) => [
    ...readFileSync(join(dist, file), 'utf8').matchAll(/(?:from |import\()['"]((?:@[\w-]+\/)?[\w-]+)/g),
  ])
  return new Set(names.map(([, name = '']) => name))
}

function target(source: string) {
  if (!/\.tsx?$/.test(source)) return source
  const path = source.replace(/\.tsx?$/, '')
  return { types: `${path}.d.ts`, default: `${path}.js` }
}
