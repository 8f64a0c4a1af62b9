import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, openConnection, requestText } from '../connection.ts'
import type { Figure, Scenario } from '../figure.ts'
import { median, timesOf } from '../load.ts'
import { ENDED_IN, emailOf, fillDatabase, fillFile, type Range, tokenOf } from '../million.ts'
import type { Product } from '../product.ts'
import {
  createUser,
  exchange,
  lookUpRequest,
  makeFolder,
  measureOnBoth,
  register,
  signIn,
  startProduct,
} from '../product.ts'

const FEW_ACCOUNTS = 1_000
const MILLION = 1_000_000

/** Slowdown of a median. */
const MAX_SLOWDOWN = 1.2
const PAGE_MS = 50
const STALL_MS = 20
const ENDED = MILLION / ENDED_IN
const ROWS_A_SECOND = 5_000

/**
 * Equal requests with a thousand and with a million accounts, each for another one, so that caches
 * do not count. Takes minutes.
 */
export const growth: Scenario = {
  name: 'growth',
  onlyByName: true,
  measure: () => measureOnBoth(onDatabase),
}

async function onDatabase(name: string, settings: Record<string, string>): Promise<Figure[]> {
  await using folder = await makeFolder()
  const empty = await startProduct(folder.path, settings)
  const user = await createUser(empty)
  await empty.stop()
  const { DATABASE_URL: url } = settings
  const fill = (range: Range) =>
    url === undefined
      ? fillFile(join(folder.path, 'my-app.sqlite'), user, range)
      : fillDatabase(url, user, range)
  await fill([1, FEW_ACCOUNTS])
  const small = await startProduct(folder.path, settings)
  const mediansBefore = await measureMedians(small, user.password, FEW_ACCOUNTS)
  await small.stop()
  const bytes = await fill([FEW_ACCOUNTS + 1, MILLION])
  const full = await startProduct(folder.path, settings)
  const stall = await longestLookUp(full)
  const cleanUp = await cleanUpTime(full)
  const mediansAfter = await measureMedians(full, user.password, MILLION)
  const { started_in } = full
  await full.stop()
  return [
    ...Object.entries(mediansAfter).map(([request, value]): Figure => {
      const limit = mediansBefore[request as keyof typeof mediansBefore]
      const maximum = request.startsWith('page') ? PAGE_MS : limit * MAX_SLOWDOWN
      return {
        name: `${request}, a million accounts, ${name}`,
        unit: 'ms',
        value,
        limit,
        goal: { at_most: maximum },
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
    {
      name: `clean-up of ${ENDED} sessions, ${name}`,
      unit: 'ms',
      value: cleanUp,
      goal: { at_most: (ENDED / ROWS_A_SECOND) * 1000 },
    },
  ]
}

/** In milliseconds. */
async function measureMedians({ port, admin_port }: Product, password: string, accounts: number) {
  const time = async (times: number, at: number, run: Run) => {
    const durations: number[] = []
    for (let n = 0; n < times; n += 1) {
      const account = liveAccount(n, accounts)
      // Against client limits.
      const connection = await openConnection(at, `127.${1 + (n % 200)}.0.1`)
      const began = performance.now()
      await run(connection, account)
      durations.push(performance.now() - began)
      connection.close()
    }
    return median(durations)
  }
  const page = (path: string): Promise<number> =>
    time(20, admin_port, async (connection) => {
      await exchange(connection, requestText(admin_port, 'GET', path), path)
    })
  const lookUp: Run = async (connection, account) => {
    await exchange(connection, lookUpRequest(port, tokenOf(account)), 'a look-up')
  }
  // The first look-up in a minute stores the last use, except in the minute of creation.
  await time(1_000, port, lookUp)
  return {
    'look-up': await time(1_000, port, lookUp),
    'sign-in': await time(60, port, async (connection, account) => {
      await signIn(connection, port, { email: emailOf(account), password })
    }),
    registration: await time(60, port, async (connection) => {
      await register(connection, port, `new-${process.hrtime.bigint()}@example.com`)
    }),
    'page of accounts': await page('/admin/identities?page_size=250'),
    'page of sessions': await page('/admin/sessions?page_size=250'),
    'page found by a part': await page('/admin/identities?preview_credentials_identifier_similar=er-77@'),
    'page found by address': await page('/admin/identities?credentials_identifier=user-77@example.com'),
  }
}

type Run = (connection: Connection, account: number) => Promise<void>

/** Some sessions have ended; the preceding account's has not. */
function liveAccount(n: number, accounts: number): number {
  const account = 1 + ((n * 7919) % accounts)
  return account % ENDED_IN === 0 ? account - 1 : account
}

/** The clean-up starts right after the server. */
async function longestLookUp({ port }: Product): Promise<number> {
  const connection = await openConnection(port)
  const request = lookUpRequest(port, tokenOf(1))
  await connection.exchange(request)
  const durations = await timesOf(5, 2, () => connection.exchange(request))
  connection.close()
  return Math.max(...durations)
}

/** Its first round would slow down the next measurement. */
async function cleanUpTime({ admin_port }: Product): Promise<number> {
  const connection = await openConnection(admin_port)
  const request = requestText(admin_port, 'GET', '/metrics')
  for (;;) {
    const { body } = await connection.exchange(request)
    const seconds = /^identity_clean_up_duration_seconds_sum (\S+)/m.exec(body)?.[1]
    if (Number(seconds) > 0) {
      connection.close()
      return Number(seconds) * 1000
    }
    await delay(100)
  }
}
