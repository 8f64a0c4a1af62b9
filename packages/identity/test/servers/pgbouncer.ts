import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { unprivileged } from './postgres-server.ts'
import { provide } from './provide.ts'

export interface PgBouncer {
  readonly port: number
  stop(): Promise<void>
}

/** In transaction mode, with three connections to each database. Undefined if it cannot be installed. */
export async function startPgBouncer(postgresPort: number): Promise<PgBouncer | undefined> {
  const program = provide(findProgram, 'pgbouncer')
  if (program === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'my-app-pgbouncer-'))
  const user = unprivileged(folder)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configuration(port, postgresPort))
  const child = spawn(program, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for await (const line of child.stderr.setEncoding('utf8')) if (/process up/.test(line)) break
  child.stderr.resume()
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

function findProgram(): string | undefined {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
}

function configuration(port: number, postgresPort: number): string {
  return `[databases]
* = host=127.0.0.1 port=${postgresPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
`
}
