import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface OtherService extends AsyncDisposable {
  readonly url: string
  readonly admin_url: string
}

/** Its base URL, where it cannot be reached. */
export const otherName = 'id.example.test'

const root = join(import.meta.dirname, '../../..')

/** Our service alone, with the configuration and the schema documented for Ory Kratos, and `own`. */
export async function startOtherService(
  public_url: string,
  own: object = {},
  schema = documentedSchema(),
): Promise<OtherService> {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-other-'))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  write('person.schema.json', schema)
  write('user-jwt.json', JSON.stringify(newKeySet()))
  write('user-jwt.jsonnet', '{ claims: {} }')
  const documented = read('kratos.yaml')
    .replaceAll('http://localhost:3000', public_url)
    .replaceAll('file:///etc/kratos', `file://${folder}`)
  const configs = [
    write('kratos.yaml', documented),
    write('machine.json', JSON.stringify(ofThisMachine(public_url))),
    write('own.json', JSON.stringify(own)),
  ]
  const main = join(root, 'app/dist/server/identity.mjs')
  const child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    main,
    ...configs.flatMap((file) => ['--config', file]),
  ])
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { ...(await readAddresses(child)), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export function documentedSchema(): string {
  return read('person.schema.json')
}

function read(name: string): string {
  return readFileSync(join(root, 'docs/ory-kratos', name), 'utf8')
}

function newKeySet() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' }] }
}

/** For another host, path and site, under another name. */
function ofThisMachine(audience: string) {
  return {
    dsn: 'memory',
    log: { level: 'error' },
    serve: {
      public: { host: '127.0.0.1', port: 0, base_url: `https://${otherName}/base/` },
      admin: { host: '127.0.0.1', port: 0 },
    },
    // The admin API then shows message bodies.
    dev: true,
    secrets: { default: [randomUUID()] },
    cookies: { domain: otherName, path: '/base', same_site: 'None', secure: true },
    session: {
      cookie: { secure: true },
      whoami: { tokenizer: { templates: { my_app_jwt: { audience } } } },
    },
    hashers: { argon2: { memory: '1MB', iterations: 1, parallelism: 1 } },
  }
}

async function readAddresses(child: ChildProcess): Promise<Pick<OtherService, 'url' | 'admin_url'>> {
  const errors: string[] = []
  child.stderr?.on('data', (chunk) => errors.push(String(chunk)))
  const ports: string[] = []
  if (child.stdout)
    for await (const line of createInterface({ input: child.stdout })) {
      const port = /^(?:Public|Admin) port: +127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      if (port) ports.push(port)
      if (ports.length === 2) {
        child.stdout.resume()
        return { url: `http://127.0.0.1:${ports[0]}`, admin_url: `http://127.0.0.1:${ports[1]}` }
      }
    }
  throw new Error(`the other service did not start: ${errors.join('')}`)
}
