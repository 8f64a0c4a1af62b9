import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { atEnd } from '@ostiary/identity/testing/kit/databases'
import { until } from '@ostiary/identity/testing/kit/until'
import { childrenOf } from '@ostiary/identity/testing/servers/children'
import { freePorts, startMain } from './running-server.ts'

export interface Server {
  readonly child: ChildProcess
  readonly port: string
  readonly admin: string
  output(): string
  workers(): number[]
  stop(): Promise<unknown>
}

export async function startWorkers(env: Record<string, string>): Promise<Server> {
  const ports = await freePorts()
  const PUBLIC_URL = `http://localhost:${ports.PORT}`
  const { child, output, exit } = startMain({
    ...{ WORKERS: '2', ...ports, PUBLIC_URL, DATA_DIR: folder(), LOG_LEVEL: 'info', ...env },
  })
  atEnd(() => child.kill('SIGKILL'))
  const text = () => output.stdout + output.stderr
  await until(() => /Ctrl-C|"listening"/.test(text()) || child.exitCode !== null)
  assert.equal(child.exitCode, null, text())
  return {
    child,
    port: ports.PORT,
    admin: `http://127.0.0.1:${ports.ADMIN_PORT}`,
    output: text,
    workers: () => childrenOf(child.pid),
    stop() {
      child.kill('SIGTERM')
      return exit
    },
  }
}

interface Body {
  readonly id?: string
  readonly session_token?: string
  readonly continue_with?: readonly { readonly flow?: { readonly id: string } }[]
  readonly mails?: readonly { readonly recipient: string }[]
}

/** The system may assign a new connection to any worker. `agent` keeps one. */
export async function send(
  { port }: Pick<Server, 'port'>,
  method: string,
  path: string,
  { body, token, agent }: { body?: object; token?: string; agent?: Agent } = {},
) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const outgoing = request({
    ...{ host: '127.0.0.1', port, method, path, agent: agent ?? false },
    headers: {
      Host: `localhost:${port}`,
      Accept: 'application/json',
      ...(body ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) } : {}),
      ...(token === undefined ? {} : { 'X-Session-Token': token }),
    },
  })
  outgoing.end(text)
  const [answer] = await once(outgoing, 'response')
  const told = answer.statusCode === 204 ? {} : ((await json(answer)) as Body)
  return { status: answer.statusCode as number, body: told, last: answer.headers.connection === 'close' }
}

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'my-app-workers-'))
  atEnd(() => rmSync(path, { recursive: true, force: true }))
  return path
}
