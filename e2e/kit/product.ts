import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@ostiary/identity/testing/servers/free-port'

export interface ProductAddresses {
  readonly url: string
  readonly admin_url: string
  readonly data_dir: string
}

export interface Product extends ProductAddresses {
  output(): string
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '../..')
const patienceMs = 120_000

export type ProductSettings = Readonly<Record<string, string>>

const START = ['scripts/run.mjs', 'start']

/** As a user does, with its own data and ports. Settings may depend on its URL. */
export async function startProduct(
  given: ProductSettings | ((url: string) => Promise<ProductSettings>) = {},
  command: readonly string[] = START,
): Promise<Product> {
  const data_dir = await mkdtemp(join(tmpdir(), 'my-app-e2e-'))
  const [port, adminPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const settings = typeof given === 'function' ? await given(url) : given
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) }
  const needed = settings.NODE_ENV === 'production' ? productionNeeds(url) : {}
  const defaults = {
    DATA_DIR: data_dir,
    LOG_LEVEL: 'warn',
    CODE_HOST_URL: 'http://127.0.0.1:1',
  }
  const env = { ...machine(), ...ports, ...defaults, ...needed, ...settings }
  let server = await launch(command, env, url)
  return {
    url,
    admin_url: `http://127.0.0.1:${adminPort}`,
    data_dir,
    output: () => server.output(),
    pause: () => server.end(),
    async resume() {
      server = await launch(command, env, url)
    },
    async stop() {
      await server.end()
      await rm(data_dir, { recursive: true, force: true })
    },
  }
}

function productionNeeds(url: string): Record<string, string> {
  const SECRETS = randomBytes(32).toString('base64')
  return { PUBLIC_URL: url, LISTEN_HOST: '127.0.0.1', SECRETS, SMTP_URL: 'off' }
}

export interface Server {
  output(): string
  end(): Promise<void>
}

/** `url` answers once it is ready. */
export async function launch(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  url: string,
): Promise<Server> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
    cwd: root,
    env,
  })
  const output = collect(child)
  const exit = once(child, 'exit')
  const ended = exit.then(() =>
    Promise.reject(new Error(`${command.join(' ')} ended at its start:\n${output()}`)),
  )
  ended.catch(() => {})
  await Promise.race([untilReady(url), ended])
  return {
    output,
    async end() {
      child.kill('SIGTERM')
      await exit
    },
  }
}

const sharedName = 'MY_APP_E2E_SHARED'

export function shareProduct({ url, admin_url, data_dir }: Product): void {
  process.env[sharedName] = JSON.stringify({ url, admin_url, data_dir })
}

export function readShared(): ProductAddresses {
  return JSON.parse(process.env[sharedName] ?? '') as ProductAddresses
}

/** Variables that programs need, and Node's compile cache. This shell's variables must not change the test. */
export function machine(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_COMPILE_CACHE']
  const keptVariables = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  // As under npm, the server exits with its parent.
  return { ...Object.fromEntries(keptVariables), npm_lifecycle_event: 'start' }
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  const chunks: string[] = []
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  }
  return () => chunks.join('')
}

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + patienceMs
  while (Date.now() < end) {
    const isReady = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await delay(50)
  }
  throw new Error(`The product was not ready after ${patienceMs / 1000} s.`)
}
