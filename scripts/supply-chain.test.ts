import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './root.ts'

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as {
  lockfileVersion: number
  packages: Record<string, Entry>
}
const workspaces = Object.keys(lock.packages).filter((path) => !path.includes('node_modules/'))
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)
const npmrc = Object.fromEntries(
  read('.npmrc')
    .split('\n')
    .filter((line) => line.includes('=') && !line.startsWith('#'))
    .map((line) => line.split('=') as [string, string]),
)

test('SUP-01 every package is pinned by version and sha512', () => {
  assert.equal(lock.lockfileVersion, 3)
  assert.ok(packages.length > 100)
  const loose = packages.filter(([, { version, integrity }]) => !version || !integrity?.startsWith('sha512-'))
  assert.deepEqual(loose, [])
})

test('SUP-01 no package comes from git, a file or a URL', () => {
  const foreign = packages.filter(([, { resolved = '' }]) => /^(git|file:|http:)/.test(resolved))
  assert.deepEqual(foreign, [])
  const loose = workspaces.flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = lock.packages[path] ?? {}
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  assert.ok(loose.length > 50)
  const inexact = loose.filter(
    ([name, wanted]) => !name.startsWith('@ostiary/') && !/^\d+\.\d+\.\d+/.test(wanted),
  )
  assert.deepEqual(inexact, [])
})

test('SUP-01 npm installs exact versions from the registry', () => {
  const { 'allow-git': git, 'allow-remote': remote, 'allow-file': file, 'save-exact': exact } = npmrc
  assert.deepEqual({ git, remote, file, exact }, { git: 'none', remote: 'none', file: 'none', exact: 'true' })
})

test('SUP-01 the actions of CI are pinned by commit', () => {
  const actions = [...read('.github/workflows/ci.yml').matchAll(/uses: (\S+)/g)].map(([, action]) => action)
  assert.ok(actions.length > 1)
  for (const action of actions) assert.match(action ?? '', /^[\w./-]+@[\da-f]{40}$/)
})

test("SUP-01 the lockfile lists every platform's packages", () => {
  const known = new Set(packages.map(([path]) => path.replace(/^.*node_modules\//, '')))
  const missing = packages.flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {})
      .filter((name) => !known.has(name))
      .map((name) => `${path} → ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('SUP-02 no package may run an install script', () => {
  assert.deepEqual(
    packages.filter(([, { hasInstallScript }]) => hasInstallScript),
    [],
  )
  assert.equal(npmrc['strict-allow-scripts'], 'true')
  assert.equal((JSON.parse(read('package.json')) as { allowScripts?: unknown }).allowScripts, undefined)
})

const npmIsOld = Number.parseInt(npm(['--version'], root).stdout, 10) < 11

test('SUP-02 installation stops before an install script', {
  skip: npmIsOld && 'this npm is older than 11 and does not know the setting',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-canary-'))
  try {
    writeFileSync(join(folder, '.npmrc'), read('.npmrc'))
    const canary = { name: 'canary', version: '1.0.0', scripts: { postinstall: 'echo x > ran.txt' } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(canary))
    npm(['pack', '--loglevel=error'], folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'host', version: '1.0.0' }))
    const { status, stderr } = npm(
      ['install', '--allow-file=all', '--loglevel=error', './canary-1.0.0.tgz'],
      folder,
    )
    assert.notEqual(status, 0)
    assert.match(stderr, /ESTRICTALLOWSCRIPTS/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function npm(args: string[], cwd: string) {
  return spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    timeout: 240_000,
  })
}

const floors = JSON.parse(read('security/floors.json')) as Record<
  string,
  { floor: string; advisories: string[] }
>

for (const [name, { floor, advisories }] of Object.entries(floors)) {
  test(`SUP-06 ${name} is ${floor} or newer (${advisories.join(', ')})`, () => {
    const versions = packages
      .filter(([path]) => path.endsWith(`node_modules/${name}`))
      .map(([, e]) => e.version)
    assert.ok(versions.length > 0, `${name} is not installed; take its floor away`)
    for (const version of versions) assert.ok(isAtLeast(version ?? '', floor), `${name} ${version}`)
  })
}

function isAtLeast(version: string, floor: string): boolean {
  const [have, need] = [version, floor].map((text) =>
    text.split('.').map((part) => Number.parseInt(part, 10)),
  )
  const at = need?.findIndex((part, index) => part !== have?.[index]) ?? -1
  return at === -1 || (have?.[at] ?? 0) > (need?.[at] ?? 0)
}

// 25 verify authenticators, 13 connect to PostgreSQL, 8 encrypt backups, 4 keep metrics, 9 export traces, and 2 read CSV.
const SERVER_BUDGET = 84

test(`fewer than 440 packages, at most ${SERVER_BUDGET} for the server`, () => {
  assert.ok(packages.length < 440, `${packages.length} packages`)
  const reached = reachable(['packages/server', 'packages/identity'])
  const served = new Set([...reached].filter((path) => !lock.packages[path]?.link))
  assert.ok(served.size > 40)
  assert.ok(served.size <= SERVER_BUDGET, `${served.size}: ${[...served].join(' ')}`)
})

/** At run time, through workspaces. */
function reachable(from: readonly string[], seen = new Set<string>()): Set<string> {
  for (const path of from) {
    const found = Object.keys(lock.packages[path]?.dependencies ?? {}).map((name) => resolve(path, name))
    for (const one of found.filter((found) => found !== undefined && !seen.has(found)))
      reachable([targetOf(one as string)], seen.add(one as string))
  }
  return seen
}

function targetOf(path: string): string {
  const { link, resolved } = lock.packages[path] ?? {}
  return link && resolved ? resolved : path
}

/** First in the package's node_modules, then above. */
function resolve(path: string, name: string): string | undefined {
  const here = join(path, 'node_modules', name).replaceAll('\\', '/')
  if (lock.packages[here]) return here
  if (path === '') return undefined
  return resolve(path.replace(/\/?[^/]*$/, '').replace(/\/?node_modules(\/@[^/]+)?$/, ''), name)
}
