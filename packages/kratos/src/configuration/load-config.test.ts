import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import type { IdentityConfigInput } from '@ostiary/identity'
import * as serving from '@ostiary/identity/serving'
import { kratos } from '../kratos.ts'
import { loadConfig } from './load-config.ts'

const { parseConfig } = serving
const resolveSources = (input: IdentityConfigInput) => serving.resolveSources(input, { kratos })

const folder = mkdtempSync(join(tmpdir(), 'load-config-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const schema = file('person.schema.json', '{"type":"object","title":"Person"}')
const keys = '{"keys":[{"kty":"EC","alg":"ES256","kid":"one"}]}'
const base64 = (text: string) => `base64://${Buffer.from(text).toString('base64')}`

const main = file(
  'main.yaml',
  `
version: v26.2.0
dsn: memory
dev: true
secrets:
  default: [a-secret-of-the-tests]
selfservice:
  default_browser_return_url: https://app.test/
  allowed_return_urls: [https://app.test/, https://other.test/]
  flows: { login: { lifespan: 10m, ui_url: https://app.test/login } }
identity:
  schemas: [{ id: default, url: file://${schema} }]
`,
)

test('merges a later JSON file into YAML and replaces lists', async () => {
  const above = file(
    'above.json',
    '{"selfservice":{"allowed_return_urls":["https://app.test/"],"flows":{"login":{"lifespan":"5m"}}}}',
  )
  const { config } = parseConfig(await loadConfig([main, above]))
  assert.equal(config.selfservice.flows.login.lifespan, 300_000)
  assert.equal(config.selfservice.flows.login.ui_url, 'https://app.test/login')
  assert.deepEqual(config.selfservice.allowed_return_urls, ['https://app.test/'])
  assert.deepEqual(config.identity.schemas[0]!.schema, { type: 'object', title: 'Person' })
})

test('accepts schemas and key sets inline', async () => {
  const input = await loadConfig([main])
  const resolved = await resolveSources({
    ...input,
    identity: { schemas: [{ id: 'default', url: base64('{"type":"object"}') }] },
    session: { whoami: { tokenizer: { templates: { app: { jwks_url: base64(keys) } } } } },
  })
  const { config } = parseConfig(resolved)
  assert.deepEqual(config.identity.schemas[0]!.schema, { type: 'object' })
  assert.equal(config.session.whoami.tokenizer.templates.app!.jwks!.keys[0]!.kid, 'one')
})

test('a mapper is a module or a function in code', async () => {
  const input = await loadConfig([main])
  const script = file(
    'claims.mjs',
    'export default ({ claims }) => ({ claims: { twice: claims.sub + claims.sub } })',
  )
  const typed = file(
    'claims.ts',
    'export default (context: { claims: object }): object => ({ claims: context.claims })',
  )
  const inCode = () => ({ claims: {} })
  const templates = {
    script: { claims_mapper_url: `file://${script}` },
    typed: { claims_mapper_url: `file://${typed}` },
    code: { claims_mapper: inCode },
  }
  const { config } = parseConfig(
    await resolveSources({ ...input, session: { whoami: { tokenizer: { templates } } } }),
  )
  const loaded = config.session.whoami.tokenizer.templates
  const mapped = await loaded.script!.claims_mapper!({ claims: { sub: 'x' } } as never)
  assert.deepEqual(mapped, { claims: { twice: 'xx' } })
  assert.equal(typeof loaded.typed!.claims_mapper, 'function')
  assert.equal(loaded.code!.claims_mapper, inCode)
})

test('reloads a mapper if its file has changed', async () => {
  const load = async (text: string) => {
    const claims_mapper_url = `file://${file('changed.mjs', text)}`
    const session = { whoami: { tokenizer: { templates: { app: { claims_mapper_url } } } } }
    const { config } = parseConfig(await resolveSources({ ...(await loadConfig([main])), session }))
    return config.session.whoami.tokenizer.templates.app!.claims_mapper!
  }
  const before = await load('export default () => ({ claims: { text: "before" } })')
  const after = await load('export default () => ({ claims: { text: "after" } })')
  assert.deepEqual(await after({} as never), { claims: { text: 'after' } })
  assert.equal(await load('export default () => ({ claims: { text: "before" } })'), before)
})

test('announces each file before reading it', async () => {
  const told: (readonly string[])[] = []
  const variables = { SESSION_WHOAMI_TOKENIZER_TEMPLATES: '{"app":{"jwks_url":"file://no/keys.json"}}' }
  const loading = loadConfig([main], { environment: variables }, async (files) => void told.push(files))
  await assert.rejects(loading, /the file does not exist/)
  assert.deepEqual(told, [[main], [schema, resolve('no/keys.json')]])
})

test("a web hook's body is a module or a function", async () => {
  const script = file('hook.mjs', 'export default ({ ctx }) => ({ id: ctx.flow.id })')
  const { flows } = parseConfig(await hookedWith(`file://${script}`)).config.selfservice
  const [after] = flows.registration.after.password!.hooks
  assert.deepEqual(await after!.config!.body({ ctx: { flow: { id: 'one' } } as never }), { id: 'one' })
  assert.equal(typeof flows.recovery.before.hooks[0]!.config!.body, 'function')
  await assert.rejects(
    hookedWith('file://hooks/hook.jsonnet'),
    /hooks\[0\]\.config\.body: .*hooks\/hook\.jsonnet cannot be read/,
  )
})

test('names a mapper that cannot be loaded', async () => {
  const named = await namedMapper()
  await assert.rejects(named('claims.mjs'), /expected file:\/\//)
  await assert.rejects(
    named('file://nowhere.mjs'),
    /claims_mapper_url: .*nowhere\.mjs cannot be read: the file does not exist/,
  )
  await assert.rejects(named(`file://${file('empty.mjs', 'export const x = 1')}`), /has no default function/)
})

test("evaluates Kratos' Jsonnet from files and base64", async () => {
  const named = await namedMapper()
  const code =
    "{ claims: { email: std.extVar('session').identity.traits.email, iss: std.extVar('claims').iss } }"
  const session = { identity: { traits: { email: 'ada@example.com' } } }
  for (const source of [`file://${file('claims.jsonnet', code)}`, base64(code)]) {
    const { config } = parseConfig(await named(source))
    const mapper = config.session.whoami.tokenizer.templates.app!.claims_mapper!
    const made = await mapper({ session: session as never, claims: { iss: 'https://id.test/' } })
    assert.deepEqual(made, { claims: { email: 'ada@example.com', iss: 'https://id.test/' } })
  }
  await assert.rejects(named(base64('{ claims: ')), /claims_mapper_url: is not Jsonnet: .* \(line 1\)/)
})

test('a body in Jsonnet is a function of ctx, and cancel sends nothing', async () => {
  const code = "function(ctx) if ctx.skip then error 'cancel' else { id: ctx.flow.id }"
  const { flows } = parseConfig(await hookedWith(base64(code))).config.selfservice
  const { body } = flows.registration.after.password!.hooks[0]!.config!
  assert.deepEqual(await body({ ctx: { skip: false, flow: { id: 'one' } } as never }), { id: 'one' })
  await assert.rejects(async () => await body({ ctx: { skip: true } as never }), { message: 'cancel' })
})

async function hookedWith(body: unknown) {
  const input = await loadConfig([main])
  const hooks = [{ hook: 'web_hook', config: { url: 'https://hook.test/', method: 'POST', body } }]
  const flows = { registration: { after: { password: { hooks } } }, recovery: { before: { hooks } } }
  return await resolveSources({
    ...input,
    selfservice: { ...input.selfservice, flows },
  } as IdentityConfigInput)
}

async function namedMapper() {
  const input = await loadConfig([main])
  return (claims_mapper_url: string) =>
    resolveSources({
      ...input,
      session: { whoami: { tokenizer: { templates: { app: { claims_mapper_url } } } } },
    })
}

test('names an unusable file without quoting it', async () => {
  const refused = (path: string, sentence: RegExp) =>
    assert.rejects(loadConfig([path]), (error: Error) => {
      assert.match(error.message, sentence)
      assert.doesNotMatch(error.message, /hush/)
      return true
    })
  await refused(join(folder, 'nowhere.yaml'), /nowhere\.yaml.* cannot be read: the file does not exist/)
  await refused(folder, /cannot be read: it is a directory/)
  await refused(
    file('broken.yaml', 'dsn: memory\nsecrets: [hush: {'),
    /broken\.yaml: is neither JSON nor YAML \(line \d\)/,
  )
  await refused(file('text.yaml', 'hush'), /text\.yaml: holds no configuration/)
  await refused(file('empty.yaml', ''), /empty\.yaml: holds no configuration/)
  const hidden = file('hidden.yaml', 'hush: 1')
  chmodSync(hidden, 0)
  if (process.getuid?.() !== 0) await refused(hidden, /permission denied/)
})

test('names a schema that is not JSON by its place', async () => {
  const input = await loadConfig([main])
  const named = (url: string) => resolveSources({ ...input, identity: { schemas: [{ id: 'default', url }] } })
  await assert.rejects(named(base64('{ broken')), /^ConfigError: identity\.schemas\[0\]\.url: is neither/)
  await assert.rejects(named('base64://'), /identity\.schemas\[0\]\.url/)
  await assert.rejects(named('person.json'), /identity\.schemas\[0\]\.url: expected file:\/\//)
  await assert.rejects(named(base64('[]')), /identity\.schemas\[0\]\.url: is not a JSON object/)
})

test('loads sources by HTTP, with bounds', async () => {
  const remote = createServer((request, response) => {
    const texts: Readonly<Record<string, string>> = {
      '/person.json': '{"type":"object","title":"Remote"}',
      '/hook': 'function(ctx) { id: ctx.flow.id }',
      '/large.json': `{"title":"${'x'.repeat(300_000)}"}`,
    }
    const text = texts[request.url ?? '']
    response.writeHead(text === undefined ? 404 : 200).end(text)
  }).listen(0, '127.0.0.1')
  after(() => remote.close())
  await once(remote, 'listening')
  const url = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`
  const input = await loadConfig([main])
  const load = (path: string, clients = {}) => loadFrom(`${url}${path}`, clients)
  const loadFrom = async (source: string, clients = {}) => {
    const changed: object = {
      ...input,
      identity: { schemas: [{ id: 'default', url: source }] },
      clients,
    }
    return (await resolveSources(changed as IdentityConfigInput)).identity.schemas[0]!.schema
  }
  assert.deepEqual(await load('/person.json'), { type: 'object', title: 'Remote' })
  const { flows } = parseConfig(await hookedWith(`${url}/hook`)).config.selfservice
  const { body } = flows.recovery.before.hooks[0]!.config!
  assert.deepEqual(await body({ ctx: { flow: { id: 'one' } } as never }), { id: 'one' })
  await assert.rejects(load('/gone.json'), /url: cannot be loaded: the response was 404/)
  await assert.rejects(load('/large.json'), /it is larger than 262144 bytes/)
  await assert.rejects(loadFrom(url.replace('//', '//ada:s3cret@')), (error: Error) => {
    assert.match(error.message, /an address with a password is not supported/)
    assert.ok(!error.message.includes('s3cret'))
    return true
  })
  await assert.rejects(
    load('/person.json', { http: { disallow_private_ip_ranges: true } }),
    /the address is private, which clients\.http\.disallow_private_ip_ranges forbids/,
  )
})

test('reports all sources that cannot be loaded', async () => {
  const input = await loadConfig([main])
  const schemas = ['one', 'two'].map((id) => ({ id, url: `file://${id}.json` }))
  await assert.rejects(resolveSources({ ...input, identity: { schemas } }), (error: Error) => {
    assert.match(error.message, /2 errors\n {2}identity\.schemas\[0\].*\n {2}identity\.schemas\[1\]/)
    return true
  })
})
