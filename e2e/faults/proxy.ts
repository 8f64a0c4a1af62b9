import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { provide } from '@ostiary/identity/testing/servers/provide'
import { need } from './fault.ts'
import { ask } from './load.ts'

const configuration = join(import.meta.dirname, '../../deploy/Caddyfile')

export interface Proxy extends AsyncDisposable {
  readonly port: number
}

export async function startProxy(replicas: readonly number[]): Promise<Proxy> {
  const found = provide(() => globSync('/usr/bin/caddy')[0], 'caddy')
  const caddy = need(found, 'there is no Caddy on this machine')
  const folder = await mkdtemp(join(tmpdir(), 'my-app-proxy-'))
  const port = await freePort()
  const config = join(folder, 'Caddyfile')
  await writeFile(config, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\nimport ${configuration}\n`)
  const child = spawn(caddy, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: {
      HOME: folder,
      SITE: `http://localhost:${port}`,
      REPLICAS: replicas.map((replica) => `127.0.0.1:${replica}`).join(' '),
    },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  while ((await ask(port, '/health/ready').catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with exit code ${child.exitCode}`)
    await delay(50)
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
