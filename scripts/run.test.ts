import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { root } from './root.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-app-run-'))
after(() => rmSync(folder, { recursive: true }))

function run(args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const file = join(options.cwd ?? root, 'scripts/run.mjs')
  return spawnSync(process.execPath, [file, ...args], { encoding: 'utf8', timeout: 240_000, ...options })
}

const WITH_TITLE = {
  skip: !['linux', 'win32'].includes(process.platform) && 'elsewhere, the title of npm is out of reach',
}

function npm(...args: readonly string[]) {
  const shell = process.platform === 'win32'
  return spawnSync('npm', args, { cwd: root, encoding: 'utf8', shell, timeout: 240_000 })
}

test('every command prints help without starting anything', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const overview = run(['help']).stdout
  for (const name of Object.keys(scripts).filter((one) => one !== 'help')) {
    const { status, stdout } = run([name, '--help'])
    assert.equal(status, 0)
    const [usage = '', , summary = ''] = stdout.split('\n')
    assert.match(usage, new RegExp(`^npm (run )?${name}\\b`))
    assert.ok(overview.includes(usage) && overview.includes(summary), name)
  }
})

test("a command's help lists its subcommands or settings", () => {
  assert.match(run(['admin', 'user', '--help']).stdout, /^npm run admin[\s\S]+user role add USER ROLE/)
  assert.match(run(['help', 'start']).stdout, /^npm start[\s\S]+PORT +/)
})

test('lists the known commands for an unknown one', () => {
  for (const given of [['strat'], ['help', 'strat']]) {
    const { status, stderr } = run(given)
    assert.equal(status, 1)
    assert.match(stderr, /There is no command "strat"[\s\S]+npm start/)
  }
})

test('rejects an ignored argument', () => {
  const { status, stderr } = run(['start', '--port=80'])
  assert.equal(status, 1)
  assert.match(stderr, /^npm start takes no arguments/)
})

test('rejects an argument of npm start', WITH_TITLE, () => {
  const { status, stderr } = npm('start', '--', '--port=80')
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^npm start takes no arguments\. Settings are environment variables, .*npm run help start/m,
  )
})

test('npm start -- --help explains the start', WITH_TITLE, () => {
  const { status, stdout } = npm('start', '--', '--help')
  assert.equal(status, 0)
  assert.match(stdout, /^npm start\n[\s\S]+^ {2}PORT +/m)
})

test('says what to install without npm', () => {
  const cwd = project('without-npm')
  const { status, stderr } = run(['check'], { cwd, env: { PATH: cwd } })
  assert.equal(status, 1)
  assert.match(stderr, /^npm was not found\. [^\n]+\n$/)
})

test('reports an unreadable lockfile in one sentence', () => {
  const cwd = project('without-lockfile')
  writeFileSync(join(cwd, 'package-lock.json'), '{')
  const { status, stderr } = run(['check'], { cwd, env: { PATH: cwd } })
  assert.equal(status, 1)
  assert.match(stderr, /^package-lock\.json is missing or cannot be read\. [^\n]+\n$/)
})

test('a signal during the installation ends the command, after npm', {
  skip: process.platform === 'win32' && 'Windows has no signals',
}, async () => {
  const cwd = project('interrupted')
  writeFileSync(join(cwd, 'npm'), '#!/bin/sh\nsleep 1\ntouch installed\n', { mode: 0o755 })
  const env = { PATH: `${cwd}:/usr/bin:/bin` }
  const child = spawn(process.execPath, [join(cwd, 'scripts/run.mjs'), 'check'], { cwd, env })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.ok(existsSync(join(cwd, 'installed')))
})

test('leaves linked packages unchanged', () => {
  const cwd = project('linked')
  const packages = join(folder, 'packages of another project')
  mkdirSync(packages)
  symlinkSync(packages, join(cwd, 'node_modules'))
  const { status, stderr } = run(['check'], { cwd, env: { PATH: cwd } })
  assert.equal(status, 1)
  assert.match(stderr, /^node_modules is a link to a folder [^\n]+\n$/)
})

test('settings are also read from .env, after the environment', () => {
  const cwd = project('dotenv')
  mkdirSync(join(cwd, 'app'))
  for (const path of ['app/dist', 'node_modules']) symlinkSync(join(root, path), join(cwd, path))
  writeFileSync(join(cwd, '.env'), 'PORT=web\nLOG_LEVEL=loud\n')
  const { stderr } = run(['migrate'], { cwd, env: { ...process.env, LOG_LEVEL: 'info' } })
  assert.match(stderr, /^PORT must be a number [^\n]+\n$/)
  const settings = '# comment\r\n\nexport PORT = 3000 # web\nTEXT="a:\nb" # two lines\n'
  writeFileSync(join(cwd, '.env'), `${settings}LOG_LEVEL: debug\n`)
  assert.equal(run(['migrate'], { cwd }).stderr, '.env, line 6: write NAME=VALUE, or # before a comment.\n')
  writeFileSync(join(cwd, '.env'), '\ufeffPORT=3001\n')
  assert.match(run(['migrate'], { cwd }).stderr, /^\.env begins with a byte-order mark, /)
  writeFileSync(join(cwd, '.env'), `${settings}LOG_LEVEL=loud\n`)
  assert.match(run(['migrate'], { cwd }).stderr, /^LOG_LEVEL must be [^\n]+\n$/)
  rmSync(join(cwd, '.env'))
  mkdirSync(join(cwd, '.env'))
  assert.equal(run(['migrate'], { cwd }).stderr, '.env cannot be read as a file (EISDIR).\n')
})

// The script begins with `exec`, so that the signal reaches the server. Windows has no `exec` and runs the other half.
test('a signal to npm alone stops npm start', {
  skip: process.platform === 'win32' && 'Windows has no signals',
}, async () => {
  const [PORT, ADMIN_PORT] = [`${await freePort()}`, `${await freePort()}`]
  const env = { ...process.env, DATABASE_URL: 'memory:', PORT, ADMIN_PORT }
  const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of npm.stdout) if (String(chunk).includes('Ctrl-C')) break
  npm.kill('SIGTERM')
  assert.deepEqual(await once(npm, 'exit'), [0, null])
  await assert.rejects(fetch(`http://localhost:${PORT}/health/alive`))
})

test('npm start survives the terminal under nohup', {
  skip: process.platform === 'win32' && 'Windows has no signals',
}, async () => {
  const [PORT, ADMIN_PORT] = [`${await freePort()}`, `${await freePort()}`]
  const env = { ...process.env, DATABASE_URL: 'memory:', PORT, ADMIN_PORT }
  const options = { cwd: root, env, detached: true } as const
  const npm = spawn('npm', ['start'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((up) => npm.stdout.on('data', (text) => String(text).includes('Ctrl-C') && up()))
  const group = -(npm.pid ?? 0)
  process.kill(group, 'SIGHUP')
  await once(npm, 'exit')
  assert.equal((await fetch(`http://localhost:${PORT}/health/alive`)).status, 200)
  process.kill(group, 'SIGTERM')
  await once(npm, 'close')
  await assert.rejects(fetch(`http://localhost:${PORT}/health/alive`))
})

test('npm run dev restarts after each change of a file that an editor replaces', async () => {
  const cwd = project('dev')
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'))
  mkdirSync(join(cwd, 'app/server'), { recursive: true })
  const config = join(cwd, 'app.config.ts')
  const replace = (text: string) => {
    writeFileSync(`${config}~`, `export const name = '${text}'\n`)
    renameSync(`${config}~`, config)
  }
  replace('first')
  writeFileSync(
    join(cwd, 'app/main.ts'),
    "import { name } from '../app.config.ts'\nsetInterval(() => {}, 1000)\nconsole.log(name)\n",
  )
  const dev = spawn(process.execPath, [join(root, 'packages/server/commands/dev.mjs')], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(dev.stdout)[Symbol.asyncIterator]()
  const said = async (text: string) => {
    for (let line = await lines.next(); line.value !== text; line = await lines.next())
      assert.ok(!line.done, `npm run dev ended before "${text}"`)
  }
  await said('first')
  for (const name of ['second', 'third', 'fourth']) {
    replace(name)
    await said(name)
  }
  dev.kill('SIGTERM')
  await once(dev, 'exit')
})

test('forwards a repeated signal once, and a second one', {
  skip: process.platform === 'win32',
}, async () => {
  const program = `
    let times = 0
    process.on('SIGTERM', () => { times += 1; if (times === 2) process.exit(42) })
    console.log('up')
    setInterval(() => {}, 1000)`
  const caller = `
    import { runChild } from '@ostiary/server/commands'
    const { code, stopped } = await runChild(process.execPath, ['-e', ${JSON.stringify(program)}])
    process.exit(stopped ? code : 1)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', caller], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  await delay(20)
  child.kill('SIGTERM')
  await delay(400)
  assert.equal(child.exitCode, null)
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 42)
})

function project(name: string): string {
  const path = join(folder, name)
  cpSync(join(root, 'scripts'), join(path, 'scripts'), { recursive: true })
  cpSync(join(root, 'package-lock.json'), join(path, 'package-lock.json'))
  return path
}
