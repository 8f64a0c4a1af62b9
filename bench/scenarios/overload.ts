import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, openConnection } from '../connection.ts'
import type { Figure, Scenario } from '../figure.ts'
import { measureHashes } from '../limits/hashes.ts'
import { percentile, startSteadily } from '../load.ts'
import type { Product, User } from '../product.ts'
import {
  createUser,
  exchange,
  lookUpRequest,
  measureOnBoth,
  OtherStatus,
  signIn,
  withProduct,
} from '../product.ts'

const OFFERED = 450
const SECONDS = 10
const CLIENTS = 200
const USERS = 20
const TICK_MS = 20
/** A later sign-in counts as refused. */
const LONGEST_MS = 10_000

export const overload: Scenario = {
  name: 'overload',
  measure: () =>
    measureOnBoth((database, settings) =>
      withProduct((product) => measureOverload(product, database), settings),
    ),
}

async function measureOverload(product: Product, database: string): Promise<Figure[]> {
  const users: User[] = []
  while (users.length < USERS) users.push(await createUser(product))
  const before = await measureHashes('verify')
  const observer = observe(product, users[0] as User)
  const { succeeded, refusals } = await offer(product, users)
  const lookUps = await observer.stop()
  const limit = (before + (await measureHashes('verify'))) / 2
  const name = `${OFFERED} sign-ins a second, ${database}`
  return [
    { name: `${name}: succeeded`, unit: '1/s', value: succeeded / SECONDS, limit, goal: { share: 0.8 } },
    {
      name: `${name}: refused within (p99)`,
      unit: 'ms',
      value: percentile(refusals, 0.99),
      goal: { at_most: 1_000 },
    },
    {
      name: `${name}: whoami beside it (p99)`,
      unit: 'ms',
      value: percentile(lookUps, 0.99),
      goal: { at_most: 100 },
    },
  ]
}

async function offer({ port }: Product, users: readonly User[]) {
  const idle: Connection[][] = Array.from({ length: CLIENTS }, () => [])
  const refusals: number[] = []
  let succeeded = 0
  const signInOf = async (n: number) => {
    const client = n % CLIENTS
    const startedAt = performance.now()
    const connection = idle[client]?.pop() ?? (await openConnection(port, `127.${client + 1}.0.1`))
    const signedIn = signIn(connection, port, users[n % users.length] as User)
    const end = await Promise.race([signedIn, delay(LONGEST_MS, undefined, { ref: false })]).catch(
      (error: unknown) => error,
    )
    if (typeof end === 'string') succeeded += 1
    else refusals.push(performance.now() - startedAt)
    // Unless a response is pending, which would be taken for the next one.
    if (typeof end === 'string' || end instanceof OtherStatus) idle[client]?.push(connection)
    else connection.close()
  }
  await startSteadily({ rate: OFFERED, seconds: SECONDS }, signInOf)
  for (const connection of idle.flat()) connection.close()
  return { succeeded, refusals }
}

function observe({ port }: Product, user: User) {
  const durations: number[] = []
  let isOver = false
  const work = async () => {
    const connection = await openConnection(port, '127.0.0.2')
    const token = await signIn(connection, port, user)
    const ask = lookUpRequest(port, token)
    for (; !isOver; await delay(TICK_MS)) {
      const began = performance.now()
      await exchange(connection, ask, 'whoami').catch(() => {})
      durations.push(performance.now() - began)
    }
    connection.close()
  }
  const offeredLoad = work()
  return {
    async stop(): Promise<readonly number[]> {
      isOver = true
      await offeredLoad
      return durations
    },
  }
}
