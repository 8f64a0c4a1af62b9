import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { oneInTurn } from './input/sample.ts'
import { until } from './kit/until.ts'
import { freePort } from './servers/free-port.ts'

// Installs the packed package into empty projects and runs the examples of its documents there.

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const repository = join(root, '../..')

interface Consumer {
  readonly packages: readonly string[]
  readonly build?: readonly string[]
  /** The example compiles with strict types. */
  readonly isTyped?: true
  readonly start: readonly string[]
  readonly page?: string
}

const CONSUMERS: Readonly<Record<string, Consumer>> = {
  node: { packages: [], start: ['server.js'], isTyped: true },
  express: { packages: ['express@5.3.0'], start: ['server.js'] },
  hono: { packages: ['hono@4.13.18', '@hono/node-server@2.1.8'], start: ['server.js'], isTyped: true },
  fastify: { packages: ['fastify@5.12.8'], start: ['server.js'], isTyped: true },
  vite: {
    packages: ['vite@8.3.8'],
    start: ['node_modules/vite/bin/vite.js'],
    page: '/identity/sessions/whoami',
  },
  next: {
    packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
    build: ['node_modules/next/dist/bin/next', 'build'],
    start: ['node_modules/next/dist/bin/next', 'dev', '--port', '3000'],
  },
}

/** Without the settings of the npm that runs the tests. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))

const skip = await run('npm', ['ping'], { env }).then(
  () => false,
  () => 'the npm registry is out of reach',
)
let folder = ''
let tarball = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'my-app-consumers-'))
  await run(process.execPath, [join(root, 'build/build.ts')])
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: join(root, 'dist'),
    env,
  })
  tarball = join(folder, stdout.trim())
})

after(() => rm(folder, { recursive: true, force: true }))

const consumers = oneInTurn('consumers', [...Object.keys(CONSUMERS), 'typescript'])

for (const name of consumers.filter((one) => one in CONSUMERS)) {
  const { packages, build, isTyped, start, page = '/me' } = CONSUMERS[name] as Consumer
  test(`the example for ${name} registers and recognises a user`, { skip }, async (t) => {
    t.diagnostic(name)
    const project = await install(name, isTyped ? [...packages, NODE_TYPES] : packages)
    const port = String(await freePort())
    await writeExamples(project, 'packages/identity/README.md', name, (text) => text.replaceAll('3000', port))
    if (isTyped) await compile(project, { ...STRICT, allowJs: true, checkJs: true })
    // Without settings, as in a container's build.
    if (build)
      await run(process.execPath, [...build], { cwd: project, env: { ...env, NEXT_TELEMETRY_DISABLED: '1' } })
    const server = spawn(
      process.execPath,
      start.map((argument) => argument.replace('3000', port)),
      { cwd: project, stdio: 'inherit', env: { ...env, NEXT_TELEMETRY_DISABLED: '1' } },
    )
    try {
      const origin = `http://localhost:${port}`
      await until(() => isServing(`${origin}/identity/health/alive`, server))
      const headers = { 'x-session-token': await register(`${origin}/identity`) }
      assert.match(await (await fetch(origin + page, { headers })).text(), /ada@example\.com/)
      assert.doesNotMatch(await (await fetch(origin + page)).text(), /ada@example\.com/)
    } finally {
      await stop(server)
    }
  })
}

test('the packed package has no tests and is smaller than 700 kB', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.trim().split('\n')
  for (const file of [
    'README.md',
    'LICENSE',
    'package.json',
    'index.js',
    'types/src/index.d.ts',
    'reference/index.md',
  ])
    assert.ok(files.includes(`package/${file}`), `${file} is packed`)
  assert.deepEqual(
    files.filter((file) => /\.test\.|(?<!d)\.ts$/.test(file)),
    [],
  )
  assert.ok((await stat(tarball)).size < 700_000)
})

if (consumers.includes('typescript'))
  test('a strict TypeScript project compiles, and its tests use the kit', { skip }, async () => {
    const project = await install('typescript', [NODE_TYPES])
    await writeExamples(project, 'docs/testing.md', 'testing')
    await run(process.execPath, ['--test'], { cwd: project, env })
    await writeFile(join(project, 'consumer.ts'), CONSUMER)
    await compile(project, STRICT)
  })

async function compile(project: string, compilerOptions: object): Promise<void> {
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc], { cwd: project }).catch((failed) => failed)
  assert.equal(stdout, '')
}

const NODE_TYPES = '@types/node@24.19.2'

const STRICT = { strict: true, skipLibCheck: false, module: 'nodenext', noEmit: true, types: ['node'] }

const CONSUMER = `
import { type Identity, createIdentity } from '@ostiary/identity'
import * as serving from '@ostiary/identity/serving'
import { type TestIdentity, createTestIdentity } from '@ostiary/identity/testing'
import type { LoginFlow, Session } from '@ostiary/identity/wire'

export const identity: Identity = await createIdentity({ dsn: 'memory', session: { lifespan: '1h' } })
export const session: Session | undefined = await identity.whoami(new Headers())
export const test: TestIdentity = await createTestIdentity()
export const form: LoginFlow['ui'] = (await test.browser().open('login')).body.ui as LoginFlow['ui']
// @ts-expect-error: durations are texts
await createIdentity({ session: { lifespan: 3600 } })
export { serving }
`

async function install(name: string, packages: readonly string[]): Promise<string> {
  const project = join(folder, name)
  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  await run('npm', ['install', ...quiet, tarball, ...packages], { cwd: project, env })
  return project
}

/** The code blocks of a document whose first line is `// example: path`. */
async function writeExamples(
  project: string,
  document: string,
  example: string,
  edit = (text: string) => text,
) {
  const text = await readFile(join(repository, document), 'utf8')
  const blocks = [...text.matchAll(/^```js\n\/\/ (\w+): (\S+)\n(.*?)^```$/gms)]
  const own = blocks.filter(([, name]) => name === example)
  assert.ok(own.length > 0, `${document} has an example for ${example}`)
  for (const [, , path = '', code = ''] of own) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), edit(code))
  }
}

async function register(base: string): Promise<string> {
  const flow = await (await fetch(`${base}/self-service/registration/api`)).json()
  const answer = await fetch(flow.ui.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      method: 'password',
      password: 'correct horse 9 battery',
      traits: { email: 'ada@example.com' },
    }),
  })
  assert.equal(answer.status, 200)
  return (await answer.json()).session_token
}

async function isServing(url: string, server: ChildProcess): Promise<boolean> {
  assert.equal(server.exitCode, null, 'the server runs')
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.kill()
  await ended
}
