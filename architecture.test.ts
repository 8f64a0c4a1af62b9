// The rules of ARCHITECTURE.md as a test: who may import what, and which words stand where.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Import } from './scripts/sources.ts'
import { assertNone, files, importsOf, inside, isFile, sources } from './scripts/sources.ts'

const basis = [
  'wire',
  'errors',
  'config',
  'crypto',
  'ui',
  'storage',
  'caller',
  'done',
  'once',
  'json-object',
  'json-shape',
  'normalise',
  'contract',
  'transact',
  'provider',
  'events',
  'metrics',
  'tracing',
]
const domain = ['identities', 'sessions', 'codes', 'authenticators', 'courier', 'devices', 'limits']

/** Folders (and files) of identity/src, from bottom to top: what each may import beside itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  errors: ['wire'],
  'json-object': [],
  'json-shape': [],
  normalise: [],
  config: ['wire', 'errors', 'json-object'],
  crypto: ['errors', 'config', 'normalise'],
  ui: ['wire', 'errors'],
  storage: ['wire', 'errors'],
  metrics: [],
  tracing: ['errors', 'config', 'contract'],
  caller: ['storage'],
  done: ['wire', 'errors', 'storage'],
  once: ['config'],
  contract: ['wire', 'config', 'storage', 'caller', 'done', 'once', 'provider', 'metrics', 'tracing'],
  transact: ['storage', 'contract'],
  provider: ['wire', 'storage', 'caller', 'contract'],
  events: ['wire', 'crypto', 'storage', 'caller', 'contract', 'tracing'],
  identities: basis,
  sessions: [...basis, 'identities'],
  courier: [...basis, 'identities', 'limits'],
  codes: [...basis, 'identities', 'courier', 'limits'],
  devices: [...basis, 'identities', 'sessions'],
  limits: [...basis, 'devices'],
  authenticators: [...basis, 'limits'],
  sockets: ['limits'],
  admission: ['errors', 'storage'],
  background: ['contract'],
  observation: [...basis, 'sessions'],
  duties: [],
  'in-turn': [],
  cluster: ['errors', 'contract', 'metrics'],
  lifetime: ['errors', 'cluster'],
  heap: [],
  account: [...basis, 'identities', 'sessions', 'authenticators', 'courier', 'in-turn'],
  'clean-up': [...basis, 'account', 'in-turn'],
  outgoing: ['config'],
  flows: [...basis, ...domain, 'account', 'outgoing'],
  strategies: [...basis, ...domain, 'outgoing'],
  http: [...basis, ...domain, 'flows'],
  'load-config': ['errors', 'config', 'json-object'],
  'open-database': ['errors', 'config', 'crypto', 'storage', 'replica'],
  replica: ['config', 'crypto', 'storage'],
  log: ['contract'],
  arguments: ['errors', 'config'],
  'configured-log': ['config', 'contract', 'log'],
  'settings-reader': ['config', 'courier', 'identities', 'load-config'],
  index: [
    ...basis,
    ...domain,
    ...['admission', 'background', 'observation', 'duties', 'in-turn', 'cluster', 'open-database'],
    ...['replica', 'account', 'clean-up', 'outgoing', 'flows', 'strategies', 'http', 'settings-reader'],
    ...['log', 'sockets'],
  ],
  process: ['cluster', 'config', 'contract', 'heap', 'lifetime', 'log', 'sockets', 'tracing'],
  ports: ['index', 'contract', 'config', 'http', 'sockets'],
  service: [
    ...['index', 'errors', 'contract', 'config', 'configured-log', 'load-config'],
    ...['cluster', 'ports', 'tracing'],
  ],
  run: [
    ...['service', 'open-database', 'arguments', 'config', 'configured-log', 'load-config', 'log'],
    ...['cluster', 'errors', 'heap', 'lifetime', 'tracing'],
  ],
  main: ['run'],
}
/** What the contract only names as types. */
const typesForContract = ['admission', 'background', 'codes', 'crypto', 'identities', 'errors']

/** Packages with one home in identity/src, as path prefixes. */
const homes: Readonly<Record<string, string>> = {
  hono: 'http/',
  '@hono/node-server': 'ports.ts',
  kysely: 'storage/',
  'node:sqlite': 'storage/',
  pg: 'storage/',
  nodemailer: 'courier/senders/smtp.ts',
  jose: 'crypto/',
  '@node-rs/argon2': 'crypto/',
  '@simplewebauthn/server': 'crypto/',
  oauth4webapi: 'strategies/oidc/',
  ajv: 'identities/',
  'libphonenumber-js': 'identities/formats.ts',
  yaml: 'load-config.ts',
  'prom-client': 'metrics/',
  '@opentelemetry/api': 'tracing/',
  '@opentelemetry/core': 'tracing/',
  '@opentelemetry/exporter-trace-otlp-http': 'tracing/',
  '@opentelemetry/resources': 'tracing/',
  '@opentelemetry/sdk-trace': 'tracing/',
  birpc: 'cluster/',
}

const area = (path: string) => path.replace('identity/src/', '').replace(/\/.*|\.ts$/, '')
const packageOf = (target: string) => target.match(/^(@[^/]+\/[^/]+|[^/]+)/)?.[0] ?? ''

test('folders of the identity service import downwards only', () => {
  const imports = inside('identity/src/')
    .flatMap(importsOf)
    .filter(({ target }) => isFile(target))
  assert.ok(imports.length > 100, 'the pattern finds imports')
  assertNone(
    imports.map(({ file, target, typeOnly }) => {
      const [from, to] = [area(file), area(target)]
      const named = from === 'contract' && typeOnly && typesForContract.includes(to)
      const allowed = from === to || named || mayImport[from]?.includes(to)
      return !allowed && `${file}: ${from} must not import ${to}`
    }),
  )
})

/** Folders (and files) of web/src, from bottom to top: what each may import beside itself. */
const webMayImport: Readonly<Record<string, readonly string[]>> = {
  env: [],
  paths: [],
  schema: [],
  loading: [],
  request: [],
  texts: ['env'],
  ui: ['texts', 'schema'],
  'query-client': ['request'],
  flow: ['ui', 'texts', 'schema', 'env', 'paths'],
  auth: ['flow', 'ui', 'texts', 'env', 'paths', 'request'],
  account: ['auth', 'flow', 'ui', 'texts', 'schema', 'env', 'paths', 'request'],
  entry: ['auth', 'flow', 'ui', 'texts', 'paths'],
  'mailed-code': ['flow', 'ui', 'texts', 'schema', 'env', 'paths'],
  features: [
    ...['account', 'auth', 'entry', 'mailed-code', 'flow', 'ui', 'texts'],
    ...['schema', 'env', 'paths', 'request'],
  ],
  screens: ['features', 'account', 'entry', 'auth', 'flow', 'ui', 'texts', 'env', 'paths'],
  'lazy-screen': ['loading'],
  routes: ['lazy-screen', 'screens', 'paths'],
  layout: ['auth', 'ui', 'texts', 'loading', 'paths', 'routes'],
  app: ['auth', 'layout', 'routes'],
  pages: ['paths'],
  main: ['app', 'query-client', 'routes', 'styles'],
  mount: ['query-client', 'styles'],
  prerender: ['app', 'pages', 'paths', 'query-client', 'routes'],
  admin: ['mount', 'features', 'layout', 'ui', 'request', 'schema', 'texts'],
  'demo-inbox': ['mount', 'ui', 'request', 'schema', 'paths'],
  'demo-provider': ['mount', 'ui', 'request', 'schema', 'flow', 'paths'],
}

test('folders of the web app import downwards only, and a feature imports no other feature', () => {
  const webArea = (path: string) => path.replace('web/src/', '').replace(/\/.*|\.(tsx?|css)$/g, '')
  const feature = (path: string) => path.match(/features\/([^/]+)\//)?.[1]
  const imports = inside('web/src/')
    .filter(({ path }) => !path.startsWith('web/src/testing/'))
    .flatMap(importsOf)
    .filter(({ target }) => target.startsWith('web/src/'))
  assert.ok(imports.length > 100, 'the pattern finds imports')
  assertNone(
    imports.map(({ file, target }) => {
      const [from, to] = [webArea(file), webArea(target)]
      const same = from === to && feature(file) === feature(target)
      return !same && !webMayImport[from]?.includes(to) && `${file}: ${from} must not import ${target}`
    }),
  )
})

test('a package with one home is imported nowhere else', () => {
  const imports = inside('identity/src/').flatMap(importsOf)
  assertNone(
    imports.map(({ file, target }) => {
      const home = homes[target.startsWith('node:') ? target : packageOf(target)]
      return home && !file.startsWith(`identity/src/${home}`) && `${file}: only ${home} may import ${target}`
    }),
  )
})

test('workspaces meet only where they are meant to', () => {
  assertNone(sources.flatMap(importsOf).map(crossing))
})

function crossing({ file, target, typeOnly }: Import): string | false {
  const [from = ''] = file.split('/')
  const own = isFile(target) ? target.startsWith(`${from}/`) : !target.startsWith('@my-app/')
  // In development the server serves the web app through Vite, whose set-up belongs to the web app.
  const dev = file === 'server/src/dev.ts' && target === 'web/build/dev-server.ts'
  const embeds = from === 'server' && /^@my-app\/identity(\/testing(\/\w+)?|\/process)?$/.test(target)
  const types = from === 'web' && typeOnly && /^@my-app\/(identity\/wire|server)$/.test(target)
  const starts = from === 'bench' && target === 'scripts/server-process.mjs'
  // One way to start a built server and to send it a load.
  const measures = file.startsWith('e2e/faults/') && target.startsWith('bench/')
  const isTest = /^(bench|scripts|e2e)$/.test(from) || file.startsWith('server/test/')
  const tests = isTest && /^@my-app\/identity\/testing\/\w+$/.test(target)
  return (
    !(own || dev || embeds || types || starts || measures || tests) && `${file} must not import ${target}`
  )
}

test('protocol tests can run on every database', () => {
  const tests = files.filter(({ path }) => /^identity\/test\/protocol\/.*\.test\.ts$/.test(path))
  assert.ok(tests.length > 0)
  assertNone(
    tests.map(
      ({ path, text }) => /from 'node:test'/.test(text) && `${path} must take test from databases.ts`,
    ),
  )
})

test('the wire format is types only, and rendering a form is synchronous', () => {
  assertNone([
    ...inside('identity/src/wire/').map(
      ({ path, text }) => /^export (async )?(const|let|function|class)/m.test(text) && `${path} has a value`,
    ),
    ...inside('identity/src/ui/').map(
      ({ path, text }) => /\basync (function|\()|\bawait\b/.test(text) && `${path} waits`,
    ),
  ])
})

/** Words that only the named files may contain. */
const reserved: readonly { words: RegExp; within: RegExp; only: readonly string[] }[] = [
  // Time comes through ctx.now, so that a test can move it. Log lines and spans carry the real time.
  {
    words: /\bDate\.now\(|\bnew Date\(\)/,
    within: /^(identity|server)\/src\//,
    only: [
      'identity/src/index.ts',
      'identity/src/log.ts',
      'identity/src/tracing/open-telemetry.ts',
      'server/src/start.ts',
    ],
  },
  // SEC-63: sorting combining marks takes quadratic time.
  { words: /\.normalize\(/, within: /^(identity|server)\/src\//, only: ['identity/src/normalise.ts'] },
  { words: /\bMath\.random\b/, within: /^(identity|server)\//, only: [] },
  // A synchronous hash blocks the event loop.
  { words: /\b(argon2|scrypt|pbkdf2|hash)Sync\b/, within: /^(identity|server)\//, only: [] },
  // SEC-11: URLs are built from the configuration. One file compares the host, one drops it; a
  // database URL has one too.
  {
    words: /'x-forwarded|headers\.host\b|\(\s*'host'\s*\)/i,
    within: /^(identity|server)\/src\//,
    only: [
      ...['identity/src/http/client-address.ts', 'identity/src/sockets/bounded-server.ts'],
      'server/src/host-redirect.ts',
      'server/src/identity-gateway/headers.ts',
      'identity/src/storage/postgres-dsn.ts',
    ],
  },
  {
    words: /\bprocess\.env\b/,
    within: /^(identity|server|web)\/src\//,
    only: ['server/src/env.ts', 'identity/src/run.ts', 'identity/src/crypto/password-hash.ts'],
  },
]

test('time, randomness, hosts and settings enter at one place each', () => {
  const found = reserved.flatMap(({ words, within, only }) =>
    sources
      .filter(({ path, text }) => within.test(path) && !only.includes(path) && words.test(text))
      .map(({ path, text }) => `${path}: ${text.match(words)?.[0]}`),
  )
  assertNone(found)
})

test('no file is a catch-all', () => {
  const drawer = /(^|\/)(utils?|helpers?|common|misc|shared)(\/|\.[a-z]+$)/
  assertNone(files.map(({ path }) => drawer.test(path) && path))
})
