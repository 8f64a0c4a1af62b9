import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { oneInTurn, runs } from '@ostiary/identity/testing/input/sample'
import { until } from '@ostiary/identity/testing/kit/until'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import * as product from '../../../app.config.ts'
import { freePorts, serve } from './running-server.ts'

// Runs the examples of docs/other-backends.md as a reader would copy them.

const page = readFileSync(join(import.meta.dirname, '../../../docs/other-backends.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'my-app-backends-'))
const env = { DATA_DIR: join(folder, 'data'), ...(await freePorts()) }
const APP_URL = `http://localhost:${env.PORT}`
let server: Awaited<ReturnType<typeof serve>>
let token = ''

before(async () => {
  server = await serve(env)
  await server.createUser('ada@example.com')
  token = await tokenOf(await server.openSession('ada@example.com'))
})
after(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function tokenOf(session: string): Promise<string> {
  const url = `${APP_URL}/.ory/sessions/whoami?tokenize_as=my_app_jwt`
  const answer = await fetch(url, { headers: { 'X-Session-Token': session } })
  return ((await answer.json()) as { tokenized: string }).tokenized
}

/** Writes a code block, whose first line is its file name, into a separate folder. */
function writeExample(language: string, name: string): string {
  const blocks = page.matchAll(/```(\w+)\n(?:\/\/|#) (\S+)\n([\s\S]*?)^```/gm)
  const [, , , code] = [...blocks].find(([, lang, file]) => lang === language && file === name) ?? []
  assert.ok(code, `${name} is on the page`)
  const file = join(folder, language, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, code)
  return file
}

function install(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  assert.equal(status, 0, error?.message ?? stderr)
}

/** Asserts that only the token of this app lets a caller in. `ask` returns the status and the owner. */
async function assertVerifies(ask: (authorization: string) => Promise<{ status: number; owner?: string }>) {
  const sub = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub as string
  assert.deepEqual(await ask(`Bearer ${token}`), { status: 200, owner: sub })
  const [header = '', claims = '', signature = ''] = token.split('.')
  const other = Buffer.from(JSON.stringify({ ...decode(claims), sub: 'eve' })).toString('base64url')
  const unsigned = Buffer.from(JSON.stringify({ ...decode(header), alg: 'none' })).toString('base64url')
  for (const wrong of [
    '',
    'Bearer x',
    `Bearer ${header}.${other}.${signature}`,
    `Bearer ${unsigned}.${claims}.`,
  ])
    assert.equal((await ask(wrong)).status, 401, wrong)
}

function decode(part: string): object {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as object
}

async function answerOf(response: Response) {
  const { owner } = (await response.json()) as { owner?: string }
  return { status: response.status, ...(owner !== undefined && { owner }) }
}

/** Starts a program of the page and returns how to ask it. */
async function start(t: TestContext, program: string, file: string, url = APP_URL) {
  const PORT = String(await freePort())
  const child = spawn(program, [file], {
    env: { PATH: process.env.PATH, APP_URL: url, PORT },
    stdio: 'ignore',
  })
  t.after(() => child.kill('SIGKILL'))
  const ask = async (authorization: string) =>
    await answerOf(await fetch(`http://127.0.0.1:${PORT}/links`, { headers: { authorization } }))
  await until(() => ask('').then(Boolean, () => false))
  return ask
}

const examples: Record<string, (t: TestContext) => Promise<void> | void> = {
  async Express(t) {
    const file = writeExample('js', 'server.mjs')
    install('npm', ['install', '--silent', '--no-audit', '--prefix', dirname(file), 'express@5', 'jose@6'])
    await assertVerifies(await start(t, process.execPath, file))
    const ask = await start(t, process.execPath, file, `http://127.0.0.1:${env.PORT}`)
    assert.equal((await ask(`Bearer ${token}`)).status, 401, 'a token for another audience')
  },
  async 'Next.js'(t) {
    writeExample('js', 'app/links/route.js')
    const project = join(folder, 'js')
    writeFileSync(join(project, 'package.json'), '{"type":"module"}')
    install('npm', ['install', '--silent', '--no-audit', '--prefix', project, 'jose@6'])
    const runner = join(project, 'runner.js')
    writeFileSync(runner, ROUTE_RUNNER)
    await assertVerifies(await start(t, process.execPath, runner))
  },
  async Python(t) {
    const file = writeExample('python', 'server.py')
    const venv = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')])
    if (venv.status !== 0) return t.skip('python3 with venv is not installed')
    const pip = join(folder, 'venv/bin/pip')
    install(pip, ['install', '--quiet', '--disable-pip-version-check', 'pyjwt[crypto]'])
    await assertVerifies(await start(t, join(folder, 'venv/bin/python'), file))
  },
  '@ory/client-fetch'() {
    const file = writeExample('js', 'sdk.mjs')
    const installed = join(dirname(file), 'node_modules/@ory')
    mkdirSync(installed, { recursive: true })
    const { resolve } = createRequire(import.meta.url)
    const manifest = resolve('@ory/client-fetch/package.json')
    symlinkSync(dirname(manifest), join(installed, 'client-fetch'))
    assertRuns(process.execPath, [file], dirname(file))
  },
  'ory-client for Python'(t) {
    const file = writeExample('python', 'sdk.py')
    const venv = join(folder, 'sdk-venv')
    if (spawnSync('python3', ['-m', 'venv', venv]).status !== 0)
      return t.skip('python3 with venv is not installed')
    install(join(venv, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', 'ory-client'])
    assertRuns(join(venv, 'bin/python'), [file], dirname(file))
  },
  'client-go'(t) {
    if (spawnSync('go', ['version']).status !== 0) return t.skip('go is not installed')
    const project = dirname(writeExample('go', 'main.go'))
    writeFileSync(join(project, 'go.mod'), 'module example\n\ngo 1.23\n')
    install('go', ['-C', project, 'get', 'github.com/ory/client-go'])
    assertRuns('go', ['run', '.'], project)
  },
}

/** Its two accounts are deleted again. */
function assertRuns(program: string, args: readonly string[], cwd: string): void {
  const addresses = { APP_URL, ADMIN_URL: `http://localhost:${env.ADMIN_PORT}` }
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...addresses },
  })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /sdk@example\.com/)
  assert.match(stdout, /success/i)
}

/** Calls a route handler as Next.js does. */
const ROUTE_RUNNER = `
import { createServer } from 'node:http'
import { GET } from './app/links/route.js'
createServer(async ({ headers: { authorization = '' } }, response) => {
  const answer = await GET(new Request('http://localhost/links', { headers: { authorization } }))
  response.writeHead(answer.status).end(await answer.text())
}).listen(Number(process.env.PORT))
`

test('the commands for an app print a token of this app', (t) => {
  if (spawnSync('sh', ['-c', 'command -v jq']).status !== 0) return t.skip('jq is not installed')
  const [, commands = ''] = /## Apps without a browser[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? []
  const traits = JSON.stringify(sampleTraits(product, 'app@example.com'))
  const script = commands
    .replace(':3000', `:${env.PORT}`)
    .replace(':4434', `:${env.ADMIN_PORT}`)
    .replace(/"traits": .*/, `"traits": ${traits},`)
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
  const [, claims = ''] = stdout.split('.')
  assert.equal((decode(claims) as { aud?: unknown }).aud, APP_URL)
})

/** Go compiles its standard library first, which takes a minute. */
const slow = runs(0, 1) ? [] : ['client-go']
const quick = Object.keys(examples).filter((name) => !slow.includes(name))

for (const name of oneInTurn('other backends', quick))
  test(`the ${name} example runs against this app`, (t) => examples[name]?.(t))
