// Import rules of ARCHITECTURE.md, and words limited to certain files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNone, files, importsOf, inside, isFile, sources } from './sources.ts'

const basis = [
  'wire',
  'errors',
  'input',
  'config',
  'crypto',
  'ui',
  'storage',
  'contract',
  'events',
  'metrics',
  'tracing',
]
const domain = ['identities', 'sessions', 'codes', 'authenticators', 'courier', 'devices', 'limits']

/** From bottom to top. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  input: [],
  errors: ['wire'],
  config: ['wire', 'errors', 'input'],
  crypto: ['errors', 'config', 'input'],
  ui: ['wire', 'errors', 'input'],
  storage: ['input', 'wire', 'errors'],
  metrics: [],
  tracing: ['errors', 'config', 'contract'],
  contract: ['wire', 'errors', 'config', 'storage', 'metrics', 'tracing'],
  events: ['wire', 'crypto', 'storage', 'contract', 'tracing'],
  identities: basis,
  sessions: [...basis, 'identities'],
  courier: [...basis, 'identities', 'limits'],
  codes: [...basis, 'identities', 'sessions', 'courier', 'limits'],
  devices: [...basis, 'identities', 'sessions'],
  limits: [...basis, 'devices'],
  authenticators: [...basis, 'identities', 'limits'],
  service: [...basis, 'identities', 'courier', 'sessions', 'outgoing'],
  account: [...basis, 'identities', 'sessions', 'authenticators', 'courier', 'service'],
  extension: [...basis, 'identities', 'sessions', 'courier'],
  'clean-up': [...basis, 'account', 'service'],
  outgoing: ['config', 'input'],
  flows: [...basis, ...domain, 'account', 'outgoing'],
  strategies: [...basis, ...domain, 'outgoing'],
  transfer: [...basis, ...domain, 'strategies'],
  http: [...basis, ...domain, 'flows', 'strategies', 'transfer'],
  providers: ['config', 'crypto', 'input', 'strategies'],
  serving: [...basis, 'identities', 'http', 'limits', 'outgoing', 'service'],
  operating: [...basis, 'account', 'courier', 'devices', 'service'],
  theme: [],
  dependencies: [...basis, 'courier', 'extension', 'service'],
  testing: ['wire', 'input', 'config', 'crypto', 'http', 'index'],
  index: [
    ...basis,
    ...domain,
    'service',
    'account',
    'extension',
    'clean-up',
    'outgoing',
    'flows',
    'strategies',
    'transfer',
    'http',
    'dependencies',
  ],
}
/** As types only. */
const typesForContract = ['service', 'codes', 'crypto', 'identities', 'extension']

/** Under these paths of packages/identity/src. */
const homes: Readonly<Record<string, string>> = {
  hono: 'http/',
  kysely: 'storage/',
  'node:sqlite': 'storage/',
  pg: 'storage/',
  nodemailer: 'courier/senders/smtp.ts',
  jose: 'crypto/',
  '@node-rs/argon2': 'crypto/',
  '@simplewebauthn/server': 'crypto/',
  oauth4webapi: 'strategies/oidc/',
  ajv: 'identities/',
  'libphonenumber-js': 'input/phone-number.ts',
  culori: 'theme.ts',
  'prom-client': 'metrics/',
}

const area = (path: string) => path.replace('packages/identity/src/', '').replace(/\/.*|\.ts$/, '')
const packageOf = (target: string) => target.match(/^(@[^/]+\/[^/]+|[^/]+)/)?.[0] ?? ''

test('the identity service imports downwards only', () => {
  const imports = inside('packages/identity/src/')
    .flatMap(importsOf)
    .filter(({ target }) => isFile(target) && !target.endsWith('/package.json'))
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

const flowKinds = ['login', 'registration', 'settings', 'recovery', 'verification']

/** From bottom to top. */
const flowsMayImport: Readonly<Record<string, readonly string[]>> = {
  form: [],
  ownership: ['form'],
  hooks: ['form', 'ownership'],
  ...Object.fromEntries(flowKinds.map((kind) => [kind, ['form', 'ownership', 'hooks']])),
  run: ['form', 'ownership', 'hooks', ...flowKinds],
}

test('forms and kinds of flow do not import each other or the runner', () => {
  const folder = (path: string) => path.match(/identity\/src\/flows\/([^/]+)\//)?.[1]
  const imports = inside('packages/identity/src/flows/').flatMap(importsOf)
  assert.ok(imports.length > 100, 'the pattern finds imports')
  assertNone(
    imports.map(({ file, target }) => {
      const [from, to] = [folder(file), folder(target)]
      return (
        from &&
        to &&
        from !== to &&
        !flowsMayImport[from]?.includes(to) &&
        `${file}: ${from} must not import ${to}`
      )
    }),
  )
})

/** From bottom to top. */
const uiMayImport: Readonly<Record<string, readonly string[]>> = {
  paths: [],
  routes: [],
  product: [],
  api: ['product', 'routes', 'texts'],
  texts: ['catalogues'],
  ui: ['texts', 'product'],
  flow: ['ui', 'texts', 'api', 'paths', 'product'],
  auth: ['flow', 'ui', 'texts', 'api', 'paths', 'product', 'routes'],
  forms: ['auth', 'flow', 'ui', 'texts', 'api', 'paths', 'product'],
  features: ['forms', 'auth', 'flow', 'ui', 'texts', 'api', 'paths', 'product'],
  pages: ['features', 'paths', 'routes'],
  layout: ['routes', 'auth', 'ui', 'texts', 'paths'],
  app: ['layout', 'routes', 'product', 'auth', 'texts', 'ui', 'api'],
  'start-app': ['app', 'routes', 'api'],
  mount: ['api'],
  prerender: ['app', 'routes', 'paths', 'product', 'features', 'ui', 'api'],
}

test('the pages of accounts import downwards only, and no other feature or form', () => {
  const area = (path: string) => path.replace('packages/ui/src/', '').replace(/\/.*|\.(tsx?|css)$/g, '')
  const feature = (path: string) => path.match(/(?:features|forms)\/([^/]+)\//)?.[1]
  const imports = inside('packages/ui/src/')
    // Catalogues are types of every part.
    .filter(({ path }) => !/^packages\/ui\/src\/(testing\/|(index|internal|catalogues)\.ts$)/.test(path))
    .flatMap(importsOf)
    .filter(({ target }) => target.startsWith('packages/ui/src/'))
  assert.ok(imports.length > 100, 'the pattern finds imports')
  assertNone(
    imports.map(({ file, target }) => {
      const [from, to] = [area(file), area(target)]
      const same = from === to && feature(file) === feature(target)
      return !same && !uiMayImport[from]?.includes(to) && `${file}: ${from} must not import ${target}`
    }),
  )
})

test('restricted packages have one folder', () => {
  const imports = inside('packages/identity/src/').flatMap(importsOf)
  assertNone(
    imports.map(({ file, target }) => {
      const home = homes[target.startsWith('node:') ? target : packageOf(target)]
      return (
        home &&
        !file.startsWith(`packages/identity/src/${home}`) &&
        `${file}: only ${home} may import ${target}`
      )
    }),
  )
})

test('the wire format is types only, and rendering is synchronous', () => {
  assertNone([
    ...inside('packages/identity/src/wire/').map(
      ({ path, text }) => /^export (async )?(const|let|function|class)/m.test(text) && `${path} has a value`,
    ),
    ...inside('packages/identity/src/ui/').map(
      ({ path, text }) => /\basync (function|\()|\bawait\b/.test(text) && `${path} waits`,
    ),
  ])
})

/** Pages run in a browser: `browser.test.ts` has their rules. */
const SERVERS = /^(packages\/((?!react\/|ui\/|admin\/|demo\/)[\w-]+\/src|demo\/server)|app\/server)\//

/** In the named files only. */
const reserved: readonly { words: RegExp; within: RegExp; only: readonly string[] }[] = [
  // Tests move ctx.now. Log lines and spans use the real time.
  {
    words: /\bDate\.now\(|\bnew Date\(\)/,
    within: SERVERS,
    only: [
      'packages/identity/src/service/clock.ts',
      'packages/identity-server/src/process/log.ts',
      'packages/identity-server/src/traces/open-telemetry.ts',
      'packages/server/src/doctor/doctor.ts',
      'packages/server/src/start/start.ts',
    ],
  },
  // SEC-63: sorting combining marks takes quadratic time.
  {
    words: /\.normalize\(/,
    within: SERVERS,
    only: ['packages/identity/src/input/normalise.ts'],
  },
  { words: /\bMath\.random\b/, within: SERVERS, only: [] },
  // A synchronous hash blocks the event loop.
  { words: /\b(argon2|scrypt|pbkdf2|hash)Sync\b/, within: SERVERS, only: [] },
  // SEC-11: URLs come from the configuration. One file compares the host, one drops it, and
  // database URLs have one.
  {
    words: /'x-forwarded|headers\.host\b|\(\s*'host'\s*\)/i,
    within: SERVERS,
    only: [
      ...[
        'packages/identity/src/http/client-address.ts',
        'packages/identity-server/src/sockets/bounded-server.ts',
      ],
      'packages/demo/server/routes.ts',
      'packages/server/src/http/edge.ts',
      'packages/server/src/identity-gateway/headers.ts',
      'packages/identity/src/storage/postgres/dsn.ts',
    ],
  },
  {
    words: /\bprocess\.env\b/,
    within: SERVERS,
    only: [
      'packages/server/src/settings/env.ts',
      'packages/kratos/src/command/run.ts',
      'packages/identity/src/config/defaults.ts',
      'packages/identity/src/crypto/passwords/password-hash.ts',
    ],
  },
]

test('time, randomness, hosts and settings have one source', () => {
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
