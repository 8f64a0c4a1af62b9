// Publishes the packages, makes a product of them, and updates it to the next version.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '@ostiary/identity/testing/kit/until'
import { callServer, freePorts, untilUp } from '@ostiary/server/testing/running-server'
import { root } from '../root.ts'
import { runPlaywright } from '../tests/journeys.ts'
import { startRegistry } from './registry.ts'

const TOKEN = 'of-no-account'
const EMAIL = 'ada@example.com'
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const [major, minor] = version.split('.').map(Number)
const nextVersion = `${major}.${Number(minor) + 1}.0`

const folder = mkdtempSync(join(tmpdir(), 'my-app-release-'))
const product = join(folder, 'reading-list')
/** A copy of this repository. */
const copy = join(folder, 'copy')
const registry = await startRegistry(TOKEN)
const userConfig = join(folder, 'npmrc')
const ports = await freePorts()
const testPort = (await freePorts()).PORT
after(() => {
  registry.stop()
  rmSync(folder, { recursive: true })
})

const env = {
  // npm passes on the configuration of this repository, and its Node may be older.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name))),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NODE_TEST_CONTEXT: undefined,
  TEST_PORT: testPort,
  npm_config_cache: ownCache(),
  NEXT_PUBLIC_IDENTITY_URL: `http://localhost:${ports.PORT}/.ory`,
  NEXT_TELEMETRY_DISABLED: '1',
  VITE_IDENTITY_URL: `http://localhost:${ports.PORT}/.ory`,
}

/** With the packages of the machine's, but without the commands that `npm create` keeps there. */
function ownCache(): string {
  const cache = join(folder, 'npm-cache')
  mkdirSync(cache)
  const common = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
  const packages = join(common, '_cacache')
  mkdirSync(packages, { recursive: true })
  symlinkSync(packages, join(cache, '_cacache'))
  return cache
}

const exec = promisify(execFile)
const npm = async (cwd: string, ...args: string[]) =>
  (await exec('npm', args, { cwd, env, maxBuffer: 2 ** 26 })).stdout

test('every package is published', async () => {
  await exec(process.execPath, [join(root, 'scripts/pack/pack.ts')], { cwd: root })
  writeFileSync(userConfig, `${registry.url.replace('http:', '')}:_authToken=${TOKEN}\n`)
  for (const file of tarballs()) await publish(file)
})

test('SUP-09 a copy in another folder packs the same bytes', async () => {
  const isSource = (file: string) => !/[/\\](node_modules|dist|data|\.git)$/.test(file)
  cpSync(root, copy, { recursive: true, filter: isSource })
  await npm(copy, 'ci', '--prefer-offline')
  await npm(copy, 'run', 'pack')
  for (const file of tarballs()) {
    const repeated = join(copy, 'dist/packages', basename(file))
    assert.ok(readFileSync(file).equals(readFileSync(repeated)), file)
  }
})

test('npm create makes a product of the packages', async () => {
  await createProduct()
  assert.match(readFileSync(join(product, 'package.json'), 'utf8'), /"@ostiary\/ui": "\^/)
  assert.deepEqual(globSync('vendor', { cwd: product }), [])
})

test('the product starts, and has accounts', async () => {
  await using server = await start()
  await assertServes(version)
  await server.createUser(EMAIL)
  assert.equal(await server.signIn(EMAIL), 200)
})

test('the product passes its own tests', async () => {
  assert.match(await npm(product, 'test'), /^\d+ passed, 0 failed$/m)
})

test('the product starts in development, and becomes an image', async () => {
  {
    await using server = await start({}, 'dev')
    await assertServes(version)
    assert.equal(await server.signIn(EMAIL), 200)
  }
  const image = join(folder, 'image')
  await npm(product, 'run', 'image', '--', image)
  assert.equal(globSync(['bin/node', 'scripts/serve.mjs'], { cwd: image }).length, 2)
})

test('a product with vendor/ switches to the registry', async () => {
  const ownFiles = readOwnFiles()
  mkdirSync(join(product, 'vendor'))
  const manifest = join(product, 'package.json')
  const ranges = /("@ostiary\/([\w-]+)": )"\^.*"/g
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(ranges, '$1"file:vendor/ostiary-$2.tgz"'))
  await createProduct()
  assert.deepEqual(readOwnFiles(), ownFiles)
})

test('npm update takes the next version, npm create that alone, and accounts stay', async () => {
  await publishNextVersion()
  await updateCopy()
  const [files, packages] = [readOwnFiles(`^${version}`), readLockedVersions()]
  // Without a registry, because the product names its own.
  await npm(product, 'create', '@ostiary@latest', '.', '--yes')
  await using server = await start()
  await assertServes(nextVersion)
  assert.equal(await server.signIn(EMAIL), 200)
  assert.deepEqual(readOwnFiles(`^${nextVersion}`), files)
  assert.deepEqual(readLockedVersions(), packages)
})

test('the Next.js example has accounts, by the published hooks', (t) =>
  tryExample(t, 'nextjs', ['node_modules/next/dist/bin/next', 'start']))

test('the TanStack Start example has accounts, by the published hooks', (t) =>
  tryExample(t, 'tanstack-start', ['node_modules/vite/bin/vite.js', 'preview']))

/** Installs, builds and starts it, and runs the journeys of examples. */
async function tryExample(t: TestContext, name: string, command: readonly string[]): Promise<void> {
  const example = join(folder, 'examples', name)
  const { PORT } = await freePorts()
  const url = `http://localhost:${PORT}`
  const isSource = (file: string) => !/[/\\](node_modules|dist|\.next)$/.test(file)
  // Both share one form.
  cpSync(join(root, 'examples'), dirname(example), { recursive: true, filter: isSource })
  await npm(example, 'install', `--@ostiary:registry=${registry.url}`)
  await npm(example, 'run', 'build')
  await using _server = await start({ CORS_ORIGINS: url })
  const child = spawn(process.execPath, [...command, '--port', PORT], { cwd: example, env })
  t.after(() => child.kill())
  await until(() =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  let output = ''
  const code = await runPlaywright('examples.config.ts', [], {
    env: { EXAMPLE_URL: url, ADMIN_URL: `http://127.0.0.1:${ports.ADMIN_PORT}` },
    print: (text) => {
      output += text
    },
  })
  assert.equal(code, 0, output)
}

async function createProduct(): Promise<void> {
  await npm(
    folder,
    'create',
    '@ostiary',
    'reading-list',
    `--registry=${registry.url}`,
    '--yes',
    '--',
    '--yes',
  )
}

function tarballs(repository = root): string[] {
  return globSync(join(repository, 'dist/packages/*.tgz'))
}

/** In the clone, whose configuration allows no files. */
async function publish(path: string): Promise<void> {
  await npm(
    root,
    'publish',
    path,
    '--allow-file=all',
    ...[`--registry=${registry.url}`, `--userconfig=${userConfig}`],
  )
}

/** By the commands of CONTRIBUTING.md, in the copy. */
async function publishNextVersion(): Promise<void> {
  const bump = ['version', nextVersion, '--workspaces', '--include-workspace-root', '--no-git-tag-version']
  await npm(copy, ...bump)
  appendFileSync(join(copy, 'packages/admin/src/main.tsx'), `console.debug('${nextVersion}')\n`)
  await npm(copy, 'run', 'pack')
  for (const file of tarballs(copy)) await publish(file)
}

async function start(more: NodeJS.ProcessEnv = {}, command = 'start') {
  const child = spawn('npm', ['run', command], {
    cwd: product,
    env: { ...env, ...ports, ADMIN_UI: 'on', DATA_DIR: join(folder, 'data'), ...more },
  })
  child.stderr.pipe(process.stderr, { end: false })
  const closed = once(child, 'close')
  // A test that takes too long is abandoned.
  process.once('exit', () => child.kill())
  await untilUp(child)
  return {
    ...callServer(ports),
    async [Symbol.asyncDispose]() {
      child.kill()
      await closed
    },
  }
}

async function assertServes(version: string): Promise<void> {
  const site = `http://localhost:${ports.PORT}`
  for (const path of ['/', '/login', '/.ory/self-service/login/api'])
    assert.equal((await fetch(`${site}${path}`)).status, 200, path)
  const admin = `http://127.0.0.1:${ports.ADMIN_PORT}`
  assert.deepEqual(await (await fetch(`${admin}/version`)).json(), { version })
  assert.equal((await readScripts(`${admin}/ui`)).includes(nextVersion), version === nextVersion)
}

async function readScripts(page: string): Promise<string> {
  const html = await (await fetch(page)).text()
  const scripts = [...html.matchAll(/<script type="module"[^>]* src="([^"]+)"/g)].map(([, src = '']) => src)
  assert.ok(scripts.length > 0)
  const answers = await Promise.all(scripts.map((src) => fetch(new URL(src, page))))
  assert.ok(answers.every(({ ok }) => ok))
  return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
}

/** By path, without the range of our packages. */
function readOwnFiles(range = ''): ReadonlyMap<string, string> {
  const exclude = ['node_modules', '.git', '**/dist', 'test-results', 'package-lock.json']
  const files = globSync(['**/*', '.*'], { cwd: product, withFileTypes: true, exclude })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8').replaceAll(range, '')]))
}

/** `npm update` of a copy. */
async function updateCopy(): Promise<void> {
  const copy = join(folder, 'updated')
  mkdirSync(copy)
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(product, name), join(copy, name))
  await npm(copy, 'update', '--package-lock-only')
  const { packages } = JSON.parse(readFileSync(join(copy, 'package-lock.json'), 'utf8'))
  assert.equal(packages['node_modules/@ostiary/server'].version, nextVersion)
}

/** Versions of third-party packages, by path. */
function readLockedVersions(): object {
  const lock = JSON.parse(readFileSync(join(product, 'package-lock.json'), 'utf8'))
  const { packages } = lock as { packages: Record<string, { version?: string }> }
  const others = Object.entries(packages).filter(([path]) => path !== '' && !path.includes('@ostiary/'))
  return Object.fromEntries(others.map(([path, { version }]) => [path, version]))
}
