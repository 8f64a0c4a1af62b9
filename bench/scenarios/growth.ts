import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '@my-app/identity/testing/postgres'
import { openConnection, requestText } from '../connection.ts'
import type { Figure, Scenario } from '../figure.ts'
import { median } from '../load.ts'
import { ACCOUNTS, ENDED_IN, emailOf, fillDatabase, fillFile, tokenOf } from '../million.ts'
import type { Product, User } from '../product.ts'
import { createUser, makeFolder, signIn, startProduct, submitFlow } from '../product.ts'

/** How much slower a median may be than on an empty database. */
const MOST = 1.2
const PAGE_MS = 50
const STALL_MS = 20

/** The same requests on an empty database and beside a million accounts. It takes minutes, so it runs by name only. */
export const growth: Scenario = {
  name: 'growth',
  onlyByName: true,
  async measure() {
    const figures = await onDatabase('SQLite', {}, async (folder, user) =>
      fillFile(join(folder, 'my-app.sqlite'), user),
    )
    const server = await startPostgres()
    if (!server) return figures
    try {
      const { url } = server
      const settings = { DATABASE_URL: url }
      return [
        ...figures,
        ...(await onDatabase('PostgreSQL', settings, (_folder, user) => fillDatabase(url, user))),
      ]
    } finally {
      await server.stop()
    }
  },
}

async function onDatabase(
  name: string,
  settings: Record<string, string>,
  fill: (folder: string, user: User) => number | Promise<number>,
): Promise<Figure[]> {
  const folder = await makeFolder()
  try {
    const empty = await startProduct(folder, settings)
    const user = await createUser(empty)
    const token = await tokenFor(empty, user)
    const before = await measureMedians(empty, () => [user, token])
    await empty.stop()
    const bytes = await fill(folder, user)
    const full = await startProduct(folder, settings)
    const stall = await longestLookUp(full)
    const after = await measureMedians(full, (n) => {
      const account = 1 + ((n * 7919) % ACCOUNTS)
      // The others' sessions have ended.
      const live = account % ENDED_IN === 0 ? account + 1 : account
      return [{ email: emailOf(live), password: user.password }, tokenOf(live)]
    })
    const { started_in } = full
    await full.stop()
    return [
      ...Object.entries(after).map(([what, value]): Figure => {
        const limit = before[what as keyof typeof before]
        const most = what.startsWith('page') ? PAGE_MS : limit * MOST
        return {
          name: `${what}, a million accounts, ${name}`,
          unit: 'ms',
          value,
          limit,
          goal: { at_most: most },
        }
      }),
      { name: `disk, a million accounts, ${name}`, unit: 'MB', value: bytes / 2 ** 20 },
      { name: `start, ${name}`, unit: 'ms', value: started_in, goal: { at_most: 500 } },
      {
        name: `longest look-up beside the clean-up, ${name}`,
        unit: 'ms',
        value: stall,
        goal: { at_most: STALL_MS },
      },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function tokenFor({ port }: Product, user: User): Promise<string> {
  const connection = await openConnection(port)
  const token = await signIn(connection, port, user)
  connection.close()
  return token
}

/** Medians in milliseconds; `account` gives the n-th account to use, with a session token of it. */
async function measureMedians({ port, admin_port }: Product, account: (n: number) => [User, string]) {
  const time = async (times: number, at: number, run: Run) => {
    const durations: number[] = []
    for (let n = 0; n < times; n += 1) {
      const [user, token] = account(n)
      // Each in a network of its own, so that no limit of one client is met.
      const connection = await openConnection(at, `127.${1 + (n % 200)}.0.1`)
      const began = performance.now()
      await run(connection, user, token)
      durations.push(performance.now() - began)
      connection.close()
    }
    return median(durations)
  }
  const page = (path: string): Promise<number> =>
    time(20, admin_port, async (connection) => {
      const { status } = await connection.exchange(requestText(admin_port, 'GET', path))
      if (status !== 200) throw new Error(`${path} was answered with ${status}`)
    })
  return {
    'look-up': await time(1_000, port, async (connection, _user, token) => {
      const { status } = await connection.exchange(
        requestText(port, 'GET', '/.ory/sessions/whoami', { 'X-Session-Token': token }),
      )
      if (status !== 200) throw new Error(`a look-up was answered with ${status}`)
    }),
    'sign-in': await time(60, port, async (connection, user) => void (await signIn(connection, port, user))),
    registration: await time(60, port, async (connection) => {
      const traits = { email: `new-${process.hrtime.bigint()}@example.com` }
      await submitFlow(connection, port, 'registration', {
        method: 'password',
        password: 'a bench of oak',
        traits,
      })
    }),
    'page of accounts': await page('/admin/identities?page_size=250'),
    'page of sessions': await page('/admin/sessions?page_size=250'),
    'page found by address': await page('/admin/identities?credentials_identifier=user-77@example.com'),
  }
}

type Run = (
  connection: Awaited<ReturnType<typeof openConnection>>,
  user: User,
  token: string,
) => Promise<void>

/** Right after the start the clean-up deletes the ended sessions. */
async function longestLookUp({ port }: Product): Promise<number> {
  const connection = await openConnection(port)
  const request = requestText(port, 'GET', '/.ory/sessions/whoami', { 'X-Session-Token': tokenOf(1) })
  await connection.exchange(request)
  let longest = 0
  for (const end = performance.now() + 5_000; performance.now() < end; await delay(2)) {
    const began = performance.now()
    await connection.exchange(request)
    longest = Math.max(longest, performance.now() - began)
  }
  connection.close()
  return longest
}
