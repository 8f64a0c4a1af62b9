import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { findBrokenLinks } from '../documents/links.ts'
import { root } from '../root.ts'
import { changeAccounts } from './changed-product.ts'
import { slugOf, titleOf } from './create.ts'

interface Packed {
  readonly name: string
  readonly private?: boolean
  readonly publishConfig?: object
  readonly description?: string
  readonly engines?: object
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const folder = mkdtempSync(join(tmpdir(), 'my-app-new-'))
const product = join(folder, 'reading-list')
const TESTS = 'node_modules/@ostiary/server/commands/test.mjs'
const port = await freePort()
const packed = (name: string) => join(root, `dist/packages/ostiary-${name}-1.0.0.tgz`)
const read = (file: string) => readFileSync(join(product, file), 'utf8')
const files = () =>
  globSync('**/*', { cwd: product, withFileTypes: true, exclude: ['node_modules', '**/dist', 'vendor'] })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(product.length + 1))

before(() => {
  assert.equal(create('--yes', '--providers', 'github').status, 0)
  installLinked()
})
after(() => rmSync(folder, { recursive: true }))

function create(...options: string[]) {
  return run(root, 'scripts/new/new.ts', product, ...options)
}

function git(...args: string[]) {
  assert.equal(spawnSync('git', args, { cwd: product }).status, 0, args.join(' '))
}

function run(cwd: string, ...args: string[]) {
  // Inside `node --test`, node:test would report to the parent.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, INIT_CWD: cwd, TEST_PORT: `${port}` }
  const result = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' })
  return { ...result, output: `${result.stdout}${result.stderr}` }
}

test('a product is small, and says whose it is', () => {
  const own = files().filter((file) => file !== 'package-lock.json')
  const lines = own.reduce((sum, file) => sum + read(file).split('\n').length, 0)
  assert.ok(own.length <= 40, `${own.length} files`)
  assert.ok(lines <= 1000, `${lines} lines`)
  assert.match(read('app.config.ts'), /name = 'Reading list'/)
  assert.match(read('app.config.ts'), /'reading_list_jwt'/)
  assert.doesNotMatch(read('app.config.ts'), /google/)
  assert.match(read('app/web/logo.svg'), /d="M11 23V9h6\.5.*m5 0 6 6"/)
  const colors = read('app/web/logo.svg').match(/#[\da-f]{3,6}/g) ?? []
  assert.ok(colors.length > 2)
  for (const color of colors) assert.match(color, /^#(.)\1+$/, 'no color beside the accent')
  for (const file of own) assert.doesNotMatch(read(file), /My[ ]App|my-app|\bSEC-\d|octocat/, file)
})

test('a product with other sentences, passwords and traits passes its own tests, without this repository', () => {
  changeAccounts(product)
  const { status, output } = run(product, TESTS)
  assert.equal(status, 0, output)
  assert.match(output, /^\d+ passed, 0 failed$/m)
})

test('the demo of a product makes no claims about the packages', () => {
  const scripts = globSync('app/web/dist/assets/*.js', { cwd: product }).map(read)
  assert.ok(scripts.some((script) => script.includes('Break something')))
  for (const script of scripts) assert.doesNotMatch(script, /7,000 sessions|one command/)
})

test('a pattern chooses tests by their path in the product', () => {
  const { status, output } = run(product, TESTS, 'reading-list')
  assert.equal(status, 1, output)
  assert.match(output, /^No test file has "reading-list" in its path\.$/m)
})

test('the tests of a product need a browser', () => {
  const nothing = { PATH: folder, CHROME_PATH: undefined, PLAYWRIGHT_BROWSERS_PATH: folder }
  const env = { ...process.env, ...nothing, PLAYWRIGHT_DOWNLOAD_HOST: 'http://127.0.0.1:1' }
  const { stdout, status } = spawnSync(process.execPath, [TESTS, 'account'], {
    ...{ cwd: product, env, encoding: 'utf8' },
  })
  assert.equal(status, 1)
  assert.match(stdout, /^There is no browser .* set CHROME_PATH .*\n\n0 passed, 1 failed$/m)
})

test('a product takes the next version, and keeps what is its own', () => {
  appendFileSync(join(product, 'app/texts.ts'), '\nexport const mine = 1\n')
  writeFileSync(join(product, 'scripts/run.mjs'), 'of an older version')
  const config = read('app.config.ts')
  // It was made before a package was added.
  const older = JSON.parse(read('package.json'))
  delete older.dependencies['@ostiary/react']
  writeFileSync(join(product, 'package.json'), JSON.stringify(older))
  appendFileSync(join(product, '.dockerignore'), 'mine\n')
  const lock = JSON.parse(read('package-lock.json'))
  const server = lock.packages['node_modules/@ostiary/server']
  const { version } = server
  server.version = '0.9.0'
  writeFileSync(join(product, 'package-lock.json'), JSON.stringify(lock))
  git('add', '--all')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-m', 'Own')
  const { status, output } = create()
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`: 0.9.0 → ${version}$`, 'm'))
  assert.ok(!existsSync(join(product, 'node_modules/.package-lock.json')), 'the next command installs')
  assert.match(read('.dockerignore'), /^mine$/m)
  assert.match(read('package.json'), /file:vendor\/ostiary-react-/)
  assert.match(read('app/texts.ts'), /mine = 1/)
  assert.equal(read('app.config.ts'), config)
  assert.equal(read('scripts/run.mjs'), readFileSync(join(root, 'scripts/run.mjs'), 'utf8'))
  assert.match(read('package.json'), /file:vendor\/ostiary-ui-/)
  const { devDependencies, ...manifest } = JSON.parse(read('package.json'))
  const { '@ostiary/demo': demo, ...others } = devDependencies
  assert.match(demo, /^file:vendor/)
  writeFileSync(join(product, 'package.json'), JSON.stringify({ ...manifest, devDependencies: others }))
  assert.equal(create().status, 0)
  assert.doesNotMatch(read('package.json'), /demo/)
  assert.ok(!existsSync(join(product, 'vendor/ostiary-demo-1.0.0.tgz')))
})

test('documents of a product and of the packages have no dead link, and no file or setting of this app', () => {
  // A product may add them.
  const others = ['kratos', 'conformance'].map((name) => installPackage(packed(name)))
  try {
    const documents = globSync(['README.md', 'node_modules/@ostiary/*/{,docs/,reference/}*.md'], {
      cwd: product,
    })
    assert.ok(documents.length > 25)
    assert.deepEqual(findBrokenLinks(product, documents), [])
    const foreign = /`(?:packages|bench|template)\/[\w./-]+`|My[ ]App|octocat|DASHBOARD_USER|GITHUB_TOKEN/
    const named = documents.flatMap(
      (file) => foreign.exec(read(file))?.map((text) => `${file}: ${text}`) ?? [],
    )
    assert.deepEqual(named, [])
  } finally {
    for (const other of others) rmSync(other, { recursive: true })
  }
})

test('the packages can be published, with peers that a product shares', () => {
  const manifests = globSync('node_modules/@ostiary/*/package.json', { cwd: product }).map(
    (file) => JSON.parse(read(file)) as Packed,
  )
  const names = ['admin', 'demo', 'identity', 'identity-server', 'react', 'server', 'ui']
  assert.deepEqual(
    manifests.map(({ name }) => name).sort(),
    names.map((name) => `@ostiary/${name}`),
  )
  for (const {
    name,
    private: isPrivate,
    publishConfig,
    description,
    engines,
    dependencies,
    peerDependencies = {},
  } of manifests) {
    assert.deepEqual(
      { isPrivate, publishConfig },
      { isPrivate: undefined, publishConfig: { access: 'public' } },
    )
    assert.ok(description && engines, name)
    assert.ok(!('react' in dependencies) && !('vitest' in peerDependencies), name)
    for (const [other, range] of Object.entries({ ...dependencies, ...peerDependencies }))
      assert.match(range, other.startsWith('@ostiary/') ? /^\d/ : /^\^\d/, other)
  }
})

test('a product lists what the commands of its packages import', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>
  const server = JSON.parse(read('node_modules/@ostiary/server/package.json')) as Packed
  for (const name of Object.keys(server.peerDependencies ?? {}))
    assert.ok(name in { ...dependencies, ...devDependencies }, name)
})

test('a registry that is no URL is refused', () => {
  const { status, output } = create('--registry', 'npmjs')
  assert.equal(status, 1)
  assert.match(output, /npmjs is not a URL/)
})

test('a folder with something else is left alone', () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'notes.txt'), 'mine')
  const { status, output } = run(root, 'scripts/new/new.ts', other, '--yes')
  assert.equal(status, 1)
  assert.match(output, /is not empty/)
  assert.ok(!existsSync(join(other, 'package.json')))
})

test('names become titles and slugs', () => {
  assert.equal(titleOf('reading-list'), 'Reading list')
  assert.equal(slugOf("Ada's Books & Co."), 'adas-books-co')
  assert.equal(slugOf('Überall'), 'berall')
})

/** As `npm ci` does in a minute: the packages of `vendor/`, and links to those of this repository. */
function installLinked(): void {
  for (const path of globSync('node_modules/{*,@*/*,.bin}', { cwd: root })) {
    if (/node_modules\/@[^/]+$|\/@(ostiary|my-app)\//.test(path)) continue
    mkdirSync(dirname(join(product, path)), { recursive: true })
    symlinkSync(join(root, path), join(product, path))
  }
  for (const file of readdirSync(join(product, 'vendor'))) installPackage(join(product, 'vendor', file))
  // As npm writes it if everything is as locked.
  cpSync(join(product, 'package-lock.json'), join(product, 'node_modules/.package-lock.json'))
}

/** Returns the package's folder. */
function installPackage(tarball: string): string {
  const folder = join(product, 'node_modules/@ostiary', basename(tarball).replace(/^ostiary-|-\d.*$/g, ''))
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder])
  return folder
}
