import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'vite'
import { referencePage } from './reference.ts'

const root = join(import.meta.dirname, '..')
const repository = join(root, '../..')
const dist = join(root, 'dist')
const types = join(dist, 'types/src')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Entries by name. The workspace's `exports` name their sources; those with `*` stay private. */
const entries = new Map<string, string>(
  Object.entries<string>(manifest.exports).flatMap(([entry, source]) =>
    entry.includes('*') ? [] : [[entry, source.replace('./src/', '').replace('.ts', '')]],
  ),
)

/** Read at run time. The bytes of the script must not change, because forms contain their hash. */
const DATA_FILES = [
  'authenticators/webauthn.js',
  'crypto/passwords/unix-crypt.mjs',
  'strategies/password/common-passwords.txt.gz',
]

/** Writes the folder to publish: a bundle, declarations, a page about each entry and a separate package.json. */
async function buildPackage(): Promise<void> {
  await bundle()
  declare()
  const reference = join(dist, 'reference')
  mkdirSync(reference)
  for (const [entry, name] of entries)
    writeFileSync(join(reference, `${basename(name)}.md`), referencePage(entry, join(types, `${name}.d.ts`)))
  for (const path of DATA_FILES) copyFileSync(join(root, 'src', path), join(dist, basename(path)))
  copyFileSync(join(root, 'README.md'), join(dist, 'README.md'))
  copyFileSync(join(repository, 'LICENSE'), join(dist, 'LICENSE'))
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published(), undefined, 2)}\n`)
}

async function bundle(): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: 'dist',
      emptyOutDir: true,
      target: 'node22',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries([...entries.values()].map((name) => [name, join(root, `src/${name}.ts`)])),
        // Data files lie next to the chunk that reads them.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}

function declare(): void {
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', import.meta.dirname], { stdio: 'inherit' })
  const reached = new Set([...entries.values()].map((name) => join(types, `${name}.d.ts`)))
  for (const file of reached) {
    const text = readFileSync(file, 'utf8')
    for (const [, path = ''] of text.matchAll(RELATIVE)) reached.add(resolve(file, '..', `${path}.d.ts`))
    // Compilers before TypeScript 5.7 reject `.ts` in declarations.
    writeFileSync(
      file,
      text.replaceAll(RELATIVE, (match) => match.replace(/\.ts(?=['"])/, '.js')),
    )
  }
  for (const name of globSync('**/*.d.ts', { cwd: types }))
    if (!reached.has(join(types, name))) rmSync(join(types, name))
}

/** The path of a relative import without its extension. */
const RELATIVE = /(?:from |import\()["'](\.[^"']+)\.ts["']/g

function published() {
  const { private: _, scripts: __, devDependencies: ___, dependencies, ...rest } = manifest
  return {
    ...rest,
    exports: Object.fromEntries(
      [...entries].map(([entry, name]) => [
        entry,
        { types: `./types/src/${name}.d.ts`, default: `./${name}.js` },
      ]),
    ),
    // A consumer gets fixes of these packages, and shares Hono with the package.
    dependencies: Object.fromEntries(
      Object.entries<string>(dependencies).map(([name, version]) => [name, `^${version}`]),
    ),
    publishConfig: { access: 'public' },
  }
}

// The message names the place in the source. A stack trace of the bundler would hide it.
try {
  await buildPackage()
  console.log(`Install it with npm install --install-links ${dist}, or publish that folder.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
