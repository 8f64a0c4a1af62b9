import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { root } from '../root.ts'
import { findRegistry, setRegistry } from './create.ts'
import { checkUpdate } from './update.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-app-update-'))
after(() => rmSync(folder, { recursive: true }))

/** npm would try again for minutes. */
const home = mkdtempSync(join(folder, 'home-'))
writeFileSync(join(home, '.npmrc'), 'fetch-retries=0\n')

const OLD = ['scripts/run.mjs', 'vendor/server.tgz']
const FILES = ['package.json', 'package-lock.json', ...OLD]

/** As little as an update reads, with a first commit. */
function writeProduct(version: string): string {
  const product = mkdtempSync(join(folder, 'product-'))
  const name = '@ostiary/server'
  const manifest = { dependencies: { [name]: `^${version}` }, devDependencies: {} }
  writeFileSync(join(product, 'package.json'), JSON.stringify(manifest))
  const lock = { lockfileVersion: 3, packages: { [`node_modules/${name}`]: { version } } }
  writeFileSync(join(product, 'package-lock.json'), JSON.stringify(lock))
  for (const path of ['scripts', 'vendor']) mkdirSync(join(product, path))
  for (const path of OLD) writeFileSync(join(product, path), 'old')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: product, stdio: 'ignore' })
  git('init')
  git('add', '--all')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-m', 'Start')
  return product
}

function update(product: string, ...options: string[]) {
  const args = ['--disable-warning=ExperimentalWarning', 'scripts/new/new.ts', product, ...options]
  return spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, HOME: home },
  })
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

test('an update says which version follows which', () => {
  assert.equal(checkUpdate(writeProduct('0.9.12')), `0.9.12 → ${version}`)
  assert.equal(checkUpdate(writeProduct(version)), version)
})

test('a product never goes back to an older version', () => {
  for (const newer of ['99.0.0', version.replace(/\d+$/, '100')]) {
    const product = writeProduct(newer)
    const { status, stderr } = update(product)
    assert.equal(status, 1)
    assert.match(
      stderr,
      new RegExp(`has version ${newer}, and this is ${version}\\. Run git pull here first`),
    )
    assert.equal(readFileSync(join(product, 'scripts/run.mjs'), 'utf8'), 'old')
  }
})

test('an update keeps changes that are in no commit', () => {
  const product = writeProduct('0.9.0')
  writeFileSync(join(product, 'scripts/run.mjs'), 'mine')
  const { status, stderr } = update(product)
  assert.equal(status, 1)
  assert.match(stderr, /replaces scripts\/run\.mjs, where you have changes\. Commit or undo them first/)
  assert.equal(readFileSync(join(product, 'scripts/run.mjs'), 'utf8'), 'mine')
  writeFileSync(join(product, 'scripts/run.mjs'), 'old')
  writeFileSync(join(product, 'README.md'), 'mine')
  assert.equal(checkUpdate(product), `0.9.0 → ${version}`)
})

test('an update without a registry shows the reason of npm, and changes nothing', () => {
  const product = writeProduct('0.9.0')
  writeFileSync(join(product, '.npmrc'), '@ostiary:registry=http://127.0.0.1:9/\n')
  const read = () => ['.npmrc', ...FILES].map((file) => readFileSync(join(product, file), 'utf8'))
  const before = read()
  const { status, stderr } = update(product)
  assert.equal(status, 1)
  assert.match(stderr, /ECONNREFUSED.*127\.0\.0\.1:9/)
  assert.match(stderr, /npm could not write package-lock\.json, for the reason above\.$/m)
  assert.deepEqual(read(), before)
})

test('a product that npm refuses leaves an empty folder', () => {
  const product = mkdtempSync(join(folder, 'new-'))
  const { status, stderr } = update(product, '--yes', '--registry', 'http://127.0.0.1:9/')
  assert.equal(status, 1)
  assert.match(stderr, /ECONNREFUSED/)
  assert.deepEqual(readdirSync(product), [])
})

test('a folder that cannot be made is reported as such', () => {
  const { status, stderr } = update('/dev/null/product', '--yes')
  assert.equal(status, 1)
  assert.match(stderr, /mkdir '\/dev\/null\/product/)
})

test('an update keeps the registry, however its line is written', () => {
  const url = 'https://packages.example/'
  const token = '//packages.example/:_authToken=abc'
  for (const line of [`@ostiary:registry=${url}`, `@ostiary:registry = "${url}"`]) {
    const target = mkdtempSync(join(folder, 'npmrc-'))
    const npmrc = join(target, '.npmrc')
    writeFileSync(npmrc, `${line}\n${token}`)
    assert.equal(findRegistry(target), url)
    setRegistry(target, url)
    assert.equal(readFileSync(npmrc, 'utf8'), `${token}\n@ostiary:registry=${url}\n`)
  }
})
