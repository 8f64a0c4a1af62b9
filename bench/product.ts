import { type DisposableTempDir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { startPostgres } from '@ostiary/identity/testing/servers/postgres-server'
import { type Server, startServer } from './child.ts'
import { type Connection, openConnection, requestText } from './connection.ts'
import type { Figure } from './figure.ts'
import type { Work } from './load.ts'

export const main = join(import.meta.dirname, '../app/dist/server/main.mjs')

export interface Product extends Server {
  readonly admin_port: number
}

export interface User {
  readonly email: string
  readonly password: string
}

export async function withProduct<T>(
  use: (product: Product) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  await using folder = await makeFolder()
  const product = await startProduct(folder.path, settings)
  try {
    return await use(product)
  } finally {
    await product.stop()
  }
}

export async function measureOnBoth(
  measure: (database: string, settings: Record<string, string>) => Promise<Figure[]>,
): Promise<Figure[]> {
  const figures = await measure('SQLite', {})
  await using server = await startPostgres()
  return server ? [...figures, ...(await measure('PostgreSQL', { DATABASE_URL: server.url }))] : figures
}

export function makeFolder(): Promise<DisposableTempDir> {
  return mkdtempDisposable(join(tmpdir(), 'my-app-bench-'))
}

export async function startProduct(folder: string, settings: Record<string, string> = {}): Promise<Product> {
  const port = await freePort()
  const admin_port = await freePort()
  const env = { PORT: `${port}`, ADMIN_PORT: `${admin_port}`, DATA_DIR: folder, ...settings }
  const server = await startServer(main, env, { port, path: '/.ory/health/ready' })
  return { ...server, admin_port }
}

export async function createUser({ admin_port }: Pick<Product, 'admin_port'>): Promise<User> {
  const user = { email: `user-${process.hrtime.bigint()}@example.com`, password: 'a bench of oak' }
  const identity = {
    traits: { email: user.email },
    verifiable_addresses: [{ value: user.email, via: 'email', verified: true }],
    credentials: { password: { config: { password: user.password } } },
  }
  const connection = await openConnection(admin_port)
  try {
    const request = requestText(admin_port, 'POST', '/admin/identities', {}, identity)
    const { status, body } = await connection.exchange(request)
    if (status !== 201) throw new Error(`creating an account was answered with ${status}: ${body}`)
  } finally {
    connection.close()
  }
  return user
}

export async function signIn(connection: Connection, port: number, user: User): Promise<string> {
  const body = { method: 'password', identifier: user.email, password: user.password }
  const answer = await submitFlow(connection, port, 'login', body)
  return (JSON.parse(answer) as { session_token: string }).session_token
}

export function lookUpRequest(port: number, token: string): string {
  return requestText(port, 'GET', `/.ory/sessions/whoami`, { 'X-Session-Token': token })
}

/** Both must return 200. */
async function submitFlow(connection: Connection, port: number, kind: string, body: object): Promise<string> {
  const path = await openFlow(connection, port, kind)
  return await exchange(connection, requestText(port, 'POST', path, {}, body), kind)
}

/** Returns the path of its submission. */
export async function openFlow(
  connection: Connection,
  port: number,
  kind: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const open = requestText(port, 'GET', `/.ory/self-service/${kind}/api`, headers)
  const { id } = JSON.parse(await exchange(connection, open, `opening ${kind}`)) as { id: string }
  return `/.ory/self-service/${kind}?flow=${id}`
}

export function registering(port: number): Work {
  let users = 0
  return async (connection) => {
    users += 1
    await register(connection, port, `user-${users}@example.com`)
  }
}

export async function register(connection: Connection, port: number, email: string): Promise<void> {
  const body = { method: 'password', password: 'a bench of oak', traits: { email } }
  await submitFlow(connection, port, 'registration', body)
}

/** The connection is reusable. */
export class OtherStatus extends Error {}

/** Throws `OtherStatus` unless 200. */
export async function exchange(connection: Connection, request: string, what: string): Promise<string> {
  const { status, body } = await connection.exchange(request)
  if (status !== 200) throw new OtherStatus(`${what} was answered with ${status}: ${body.slice(0, 300)}`)
  return body
}
