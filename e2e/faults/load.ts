import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import * as product from '../../app.config.ts'
import { type Answer, type Connection, openConnection, requestText } from '../../bench/connection.ts'

export interface Answered {
  /** By `performance.now()`. */
  readonly at: number
  readonly ms: number
  readonly status: number
}

export interface Load {
  readonly answers: readonly Answered[]
  stop(): Promise<readonly Answered[]>
}

/** Repeats `work` until stopped. Each request has another address, against client limits. */
export function beginLoad(clients: number, work: (turn: number, from: string) => Promise<number>): Load {
  const answers: Answered[] = []
  let over = false
  let turns = 0
  const visit = async () => {
    while (!over) {
      const turn = turns++
      const began = performance.now()
      const status = await work(turn, addressOf(turn)).catch(() => 0)
      const at = performance.now()
      answers.push({ at, ms: at - began, status })
      // A stopped server refuses at once.
      if (status !== 200) await delay(20)
    }
  }
  const done = Promise.all(Array.from({ length: clients }, visit))
  const load = {
    answers,
    async stop() {
      over = true
      await done
      return answers
    },
  }
  begun.push(load)
  return load
}

const begun: Load[] = []

export async function stopLoads(): Promise<void> {
  for (const load of begun.splice(0)) await load.stop()
}

export function addressOf(turn: number): string {
  return `127.${1 + (turn % 250)}.${Math.floor(turn / 250) % 250}.1`
}

const PASSWORD = 'a fault of granite'

export async function register(port: number, email: string, from?: string): Promise<number> {
  return await runFlow(
    port,
    'registration',
    { method: 'password', password: PASSWORD, traits: sampleTraits(product, email) },
    from,
  )
}

export interface Account {
  readonly email: string
  readonly password: string
}

export async function signIn(port: number, { email, password }: Account, from?: string): Promise<number> {
  return await runFlow(port, 'login', { method: 'password', identifier: email, password }, from)
}

export interface Visits extends Load {
  /** Registrations. */
  readonly confirmed: readonly string[]
}

/** Look-ups of one session by two clients, with pauses. */
export function beginLookUps(port: number, token: string): Load {
  return beginLoad(2, async (_turn, from) => {
    await delay(20)
    return await whoami(port, token, from)
  })
}

/** One after the other: the client's own load must not count. */
export async function repeat(count: number, work: () => Promise<number>): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  while (answers.length < count) {
    const began = performance.now()
    const status = await work()
    const at = performance.now()
    answers.push({ at, ms: at - began, status })
  }
  return answers
}

/** Milliseconds, below the total limit of registrations on a fast machine. */
const PAUSE = runs(250, 20)

/**
 * Registrations and, with accounts, every second time a sign-in. They take turns, because an
 * account allows ten passwords at once, and a killed server leaves its attempts counted.
 */
export function beginVisits(port: number, clients: number, accounts: readonly Account[] = []): Visits {
  const confirmed: string[] = []
  const load = beginLoad(clients, async (turn, from) => {
    await delay(PAUSE)
    const account = accounts[(turn / 2) % accounts.length]
    if (account) return await signIn(port, account, from)
    const email = `user-${turn}@example.com`
    const status = await register(port, email, from)
    if (status === 200) confirmed.push(email)
    return status
  })
  return { ...load, confirmed }
}

async function runFlow(port: number, kind: string, body: object, from?: string): Promise<number> {
  return await withConnection(port, from, async (connection) => {
    const opened = await send(connection, port, 'GET', `/.ory/self-service/${kind}/api`)
    if (opened.status !== 200) return opened.status
    const { id } = JSON.parse(opened.body) as { id: string }
    return (await send(connection, port, 'POST', `/.ory/self-service/${kind}?flow=${id}`, {}, body)).status
  })
}

export async function ask(port: number, path: string, headers: object = {}, from?: string): Promise<Answer> {
  return await withConnection(port, from, (connection) => send(connection, port, 'GET', path, headers))
}

export async function whoami(port: number, token: string, from?: string): Promise<number> {
  return (await ask(port, '/.ory/sessions/whoami', { 'X-Session-Token': token }, from)).status
}

async function withConnection<T>(
  port: number,
  from: string | undefined,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(port, from)
  try {
    return await use(connection)
  } finally {
    connection.close()
  }
}

/** Longer silence is a lost server. */
const LONGEST_MS = 120_000

async function send(connection: Connection, port: number, ...request: [string, string, object?, object?]) {
  const tooLong = setTimeout(() => connection.close(), LONGEST_MS)
  try {
    return await connection.exchange(requestText(port, ...request))
  } finally {
    clearTimeout(tooLong)
  }
}
