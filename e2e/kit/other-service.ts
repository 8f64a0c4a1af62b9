import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { expect } from '@playwright/test'
import { name as productName } from '../../app.config.ts'
import { launch, machine } from './product.ts'

export interface OtherService {
  readonly url: string
  /** Its base URL, which cannot be reached. */
  readonly name: string
  /** Once at least `count` have arrived. */
  code(email: string, count?: number): Promise<string>
  stop(): Promise<void>
}

const name = 'id.example.test'
const documented = join(import.meta.dirname, '../../docs/ory-kratos')

export interface AddedTraits {
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
}

/** As documented for Ory Kratos. */
export async function startOtherService(public_url: string, added?: AddedTraits): Promise<OtherService> {
  const folder = await mkdtemp(join(tmpdir(), 'my-app-other-'))
  const [port, adminPort] = [await freePort(), await freePort()]
  const read = (file: string) => readFile(join(documented, file), 'utf8')
  const files: Readonly<Record<string, string>> = {
    'person.schema.json': withTraits(await read('person.schema.json'), added),
    'user-jwt.jsonnet': '{ claims: {} }',
    'user-jwt.json': JSON.stringify(await newKeySet()),
    'kratos.yaml': (await read('kratos.yaml'))
      .replaceAll('http://localhost:3000', public_url)
      .replaceAll('file:///etc/kratos', `file://${folder}`),
    'machine.json': JSON.stringify(ofThisMachine(public_url, port, adminPort)),
  }
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  const configs = ['kratos.yaml', 'machine.json'].flatMap((file) => ['--config', join(folder, file)])
  const url = `http://127.0.0.1:${port}`
  const server = await launch(['scripts/run.mjs', 'identity', ...configs], machine(), url)
  return {
    url,
    name,
    code: (email, count) => mailedCode(`http://127.0.0.1:${adminPort}`, email, count),
    async stop() {
      await server.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function withTraits(text: string, { properties, required }: AddedTraits = { properties: {}, required: [] }) {
  const schema = JSON.parse(text)
  const { traits } = schema.properties
  traits.properties.email['ory.sh/kratos'].credentials.passkey = { display_name: true }
  Object.assign(traits.properties, properties)
  traits.required.push(...required)
  return JSON.stringify(schema)
}

async function newKeySet() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign'])
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', privateKey)
  return { keys: [{ kty, crv, x, y, d, kid: 'mine', alg: 'ES256', use: 'sig' }] }
}

function ofThisMachine(audience: string, port: number, adminPort: number) {
  return {
    dsn: 'memory',
    dev: true,
    log: { level: 'error' },
    serve: {
      public: { host: '127.0.0.1', port, base_url: `https://${name}/` },
      admin: { host: '127.0.0.1', port: adminPort },
    },
    secrets: { default: [randomBytes(32).toString('base64')] },
    cookies: { domain: name, path: '/identity', same_site: 'None', secure: true },
    selfservice: {
      methods: {
        passkey: {
          enabled: true,
          config: { rp: { id: 'localhost', display_name: productName, origins: [audience] } },
        },
      },
      flows: { registration: { after: { passkey: { hooks: [{ hook: 'show_verification_ui' }] } } } },
    },
    session: { cookie: { secure: true }, whoami: { tokenizer: { templates: { my_app_jwt: { audience } } } } },
  }
}

async function mailedCode(admin_url: string, email: string, count = 1): Promise<string> {
  let bodies: string[] = []
  const arrive = async () => {
    const response = await fetch(`${admin_url}/admin/courier/messages?recipient=${encodeURIComponent(email)}`)
    bodies = ((await response.json()) as { body: string }[]).map(({ body }) => body)
    return bodies.length
  }
  await expect.poll(arrive, { message: `emails for ${email}` }).toBeGreaterThanOrEqual(count)
  const code = /\b\d{6}\b/.exec(bodies[0] ?? '')?.[0]
  expect(code).toBeTruthy()
  return code ?? ''
}
