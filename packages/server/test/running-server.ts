import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import * as product from '../../../app.config.ts'

export const PASSWORD = 'several words of a test'
/** It starts in half the time of the sources. */
export const main = [
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, '../../../app/dist/server/main.mjs'),
]
/** To find programs and compiled code. */
export const machine = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

export async function freePorts() {
  return { PORT: `${await freePort()}`, ADMIN_PORT: `${await freePort()}` }
}

export function startMain(env: NodeJS.ProcessEnv, options: readonly string[] = []) {
  const child = spawn(process.execPath, [...main, ...options], { env: { ...machine, ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  return { child, output, exit: once(child, 'close').then(([code]) => code as number) }
}

/** In production that takes LOG_LEVEL=info. */
export async function untilUp({ stdout }: ChildProcessWithoutNullStreams): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let said = ''
    stdout.on('data', (chunk) => {
      said += chunk
      if (/Ctrl-C|"listening"/.test(said)) resolve()
    })
    stdout.once('end', () => reject(new Error('the server ended')))
  })
}

/** Such as `backup FILE`. */
export function runCommand(given: readonly string[], env: NodeJS.ProcessEnv, status = 0) {
  const run = spawnSync(process.execPath, [...main, ...given], {
    encoding: 'utf8',
    env: { ...machine, ...env },
  })
  assert.equal(run.status, status, run.stderr)
  return run
}

interface Env extends NodeJS.ProcessEnv {
  readonly DATA_DIR: string
  readonly PORT: string
  readonly ADMIN_PORT: string
}

/** Calls a server that runs. */
export function callServer(env: Pick<Env, 'PORT' | 'ADMIN_PORT'>) {
  const at = `http://localhost:${env.PORT}`
  const identities = `http://127.0.0.1:${env.ADMIN_PORT}/admin/identities`
  const submitLogin = async (identifier: string) => {
    const opened = await fetch(`${at}/.ory/self-service/login/api`)
    const flow = (await opened.json()) as { ui: { action: string } }
    const body = JSON.stringify({ method: 'password', identifier, password: PASSWORD })
    const headers = { 'Content-Type': 'application/json' }
    return await fetch(flow.ui.action, { method: 'POST', headers, body })
  }
  const signIn = async (identifier: string) => {
    const answer = await submitLogin(identifier)
    await answer.text()
    return answer.status
  }
  return {
    signIn,
    async openSession(identifier: string) {
      return ((await (await submitLogin(identifier)).json()) as { session_token: string }).session_token
    },
    async whoami(token: string) {
      const answer = await fetch(`${at}/.ory/sessions/whoami`, { headers: { 'X-Session-Token': token } })
      await answer.text()
      return answer.status
    },
    /** Returns the id. */
    async createUser(email: string, { verified = true } = {}): Promise<string> {
      const answer = await fetch(identities, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          schema_id: 'person',
          traits: sampleTraits(product, email),
          credentials: { password: { config: { password: PASSWORD } } },
          verifiable_addresses: verified
            ? [{ value: email, via: 'email', verified: true, status: 'completed' }]
            : [],
        }),
      })
      const body = await answer.text()
      assert.equal(answer.status, 201, body)
      return (JSON.parse(body) as { id: string }).id
    },
    /** One by one until stopped. Returns the statuses. */
    keepSigningIn(emails: readonly string[]) {
      const statuses: number[] = []
      let over = false
      const done = (async () => {
        for (let turn = 0; !over; turn++) statuses.push(await signIn(emails[turn % emails.length] ?? ''))
      })()
      return {
        async end() {
          over = true
          await done
          return statuses
        },
      }
    },
    async deleteUsers() {
      const users = (await (await fetch(identities)).json()) as { id: string }[]
      for (const { id } of users)
        assert.equal((await fetch(`${identities}/${id}`, { method: 'DELETE' })).status, 204)
      if (users.length > 0) await this.deleteUsers()
    },
  }
}

export async function serve(env: Env) {
  const { child } = startMain({ LOG_LEVEL: 'error', ...env })
  child.stderr.pipe(process.stderr, { end: false })
  await untilUp(child)
  return {
    ...callServer(env),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
