import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { residentMegabytes, type Server, type StartOptions, startServer } from '../../bench/child.ts'
import { openConnection } from '../../bench/connection.ts'
import { createUser, main, signIn, type User } from '../../bench/product.ts'
import { ask } from './load.ts'

export interface Replica extends Server {
  readonly admin_port: number
  output(): string
  kill(): Promise<void>
}

/** Outlives a replica. Disposing of it stops its replicas. */
export interface Place extends AsyncDisposable {
  readonly folder: string
  readonly file: string
  start(settings?: Readonly<Record<string, string>>, options?: StartOptions): Promise<Replica>
}

export async function newPlace(shared: Readonly<Record<string, string>> = {}): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'my-app-faults-'))
  const [port, admin_port] = [await freePort(), await freePort()]
  const env = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://localhost:3000',
    LISTEN_HOST: '127.0.0.1',
    PORT: `${port}`,
    ADMIN_PORT: `${admin_port}`,
    DATA_DIR: folder,
    SECRETS: randomBytes(32).toString('base64'),
    // Emails stay in the queue.
    SMTP_URL: 'smtp://127.0.0.1:9',
    TRUSTED_PROXIES: '0',
    DRAIN_MS: '0',
    LOG_LEVEL: 'warn',
    ...shared,
  }
  const started: Replica[] = []
  return {
    folder,
    file: join(folder, 'my-app.sqlite'),
    async start(settings = {}, options = {}) {
      const replica = await startReplica({ ...env, ...settings }, { port, admin_port }, options)
      started.push(replica)
      return replica
    },
    async [Symbol.asyncDispose]() {
      for (const replica of started) await replica.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startReplica(
  env: Readonly<Record<string, string>>,
  { port, admin_port }: Pick<Replica, 'port' | 'admin_port'>,
  options: StartOptions,
): Promise<Replica> {
  const printed: string[] = []
  const onOutput = (text: string) => void printed.push(text)
  const ready = { port, path: '/health/ready' }
  const server = await startServer(main, env, ready, { ...options, onOutput }).catch((error: Error) => {
    throw new Error(`${error.message}\n${printed.join('')}`)
  })
  // The first call starts measuring the delay.
  await ask(admin_port, '/metrics')
  let ended = false
  void server.exit.then(() => {
    ended = true
  })
  const kill = async () => {
    if (!ended) process.kill(server.pid, 'SIGKILL')
    await server.exit
  }
  return { ...server, admin_port, output: () => printed.join(''), kill }
}

export async function createUsers(replica: Replica, count: number): Promise<User[]> {
  const users: User[] = []
  while (users.length < count) users.push(await createUser(replica))
  return users
}

export async function signedIn(replica: Replica): Promise<string> {
  const [user] = (await createUsers(replica, 1)) as [User]
  const connection = await openConnection(replica.port)
  const token = await signIn(connection, replica.port, user)
  connection.close()
  return token
}

export async function endSessions(replica: Replica, token: string): Promise<void> {
  const { body } = await ask(replica.port, '/.ory/sessions/whoami', { 'X-Session-Token': token })
  const { identity } = JSON.parse(body) as { identity: { id: string } }
  const url = `http://127.0.0.1:${replica.admin_port}/admin/identities/${identity.id}/sessions`
  const { status } = await fetch(url, { method: 'DELETE' })
  if (status !== 204) throw new Error(`the sessions were not ended: ${status}`)
}

export async function processFigures({ pid, admin_port }: Replica) {
  const { body } = await ask(admin_port, '/metrics')
  const seconds = Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(body)?.[1])
  return { rssMb: residentMegabytes(pid), loopMaxMs: seconds * 1_000 }
}
