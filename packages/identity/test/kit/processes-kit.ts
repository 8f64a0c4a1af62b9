import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { program } from '../servers/program.ts'
import { atEnd } from './databases.ts'
import { userSchema } from './kit.ts'

export interface Service {
  readonly child: ChildProcess
  readonly url: string
  readonly admin_url: string
  readonly logged: readonly string[]
}

export function configFile(dsn: string, members: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'identity-processes-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'identity.json')
  writeFileSync(
    path,
    JSON.stringify({
      dsn,
      dev: true,
      log: { level: 'error' },
      serve: {
        public: { host: '127.0.0.1', port: 0, max_delay: '0s' },
        admin: { host: '127.0.0.1', port: 0 },
      },
      secrets: { default: ['a secret of the tests, long enough to be one'] },
      limits: { registration: 'off', flow: 'off' },
      hashers: { argon2: { memory: '1MB', iterations: 1, parallelism: 1 } },
      identity: {
        schemas: [
          { id: 'default', url: `base64://${Buffer.from(JSON.stringify(userSchema)).toString('base64')}` },
        ],
      },
      selfservice: {
        default_browser_return_url: 'http://app.test/',
        methods: { password: { config: { haveibeenpwned_enabled: false } } },
        flows: { verification: { enabled: true } },
      },
      ...members,
    }),
  )
  return path
}

/** Waits until it accepts requests. */
export async function start(
  config: string,
  { env = {} }: { env?: NodeJS.ProcessEnv } = {},
): Promise<Service> {
  const child = spawn(process.execPath, [program, '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  // An inherited stream of a surviving service would keep the runner waiting.
  child.stderr.pipe(process.stderr, { end: false })
  atEnd(() => child.kill('SIGKILL'))
  const logged: string[] = []
  const lines = createInterface({ input: child.stdout }).on('line', (line) => logged.push(line))
  for (const ended = once(lines, 'close'); ; ) {
    const [url, admin_url] = logged.flatMap(portsIn).map((port) => `http://127.0.0.1:${port}`)
    if (url !== undefined && admin_url !== undefined) return { child, url, admin_url, logged }
    const line = await Promise.race([once(lines, 'line'), ended])
    if (line.length === 0) throw new Error('the service did not start')
  }
}

function portsIn(line: string): string[] {
  return /^(?:Public|Admin) port: +127\.0\.0\.1:(\d+)/.exec(line)?.slice(1) ?? []
}

export async function stop({ child }: Service): Promise<unknown> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  return (await ended)[0]
}
