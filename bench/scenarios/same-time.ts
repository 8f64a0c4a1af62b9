import type { Connection } from '../connection.ts'
import { openConnection, requestText } from '../connection.ts'
import type { Figure, Scenario } from '../figure.ts'
import { median } from '../load.ts'
import type { Product } from '../product.ts'
import { createAccount, createTolerance, createUser, openFlow, signIn, withProduct } from '../product.ts'

/** By chance, the worst of three comparisons exceeds 55 % in one of 25 runs. */
const ROUNDS = 400
/** An address gets ten emails an hour. */
const ADDRESSES = ROUNDS / 10
const ROUNDS_PER_CLIENT = 10
const SIGN_INS_A_SECOND = 60
/** Forms for unauthenticated clients. */
const FORMS = ['signing in', 'starting a recovery', 'a wrong code'] as const
const USERS = ['known', 'unknown', 'deactivated', 'with a provider only'] as const

type User = (typeof USERS)[number]
type Addresses = Readonly<Record<User, readonly string[]>>
/** Milliseconds. */
type Durations = Readonly<Record<User, number[]>>

/** SEC-14. */
export const sameTime: Scenario = {
  name: 'same-time',
  onlyByName: true,
  async measure() {
    return [...(await withProduct(measureIdle)), ...(await withProduct(measureBusy))]
  },
}

async function measureIdle(product: Product): Promise<Figure[]> {
  return await measureForms(product, await settle(product), '')
}

async function measureBusy(product: Product): Promise<Figure[]> {
  const addresses = await settle(product)
  const stop = await keepBusy(product)
  try {
    return await measureForms(product, addresses, `, beside ${SIGN_INS_A_SECOND} sign-ins a second`)
  } finally {
    await stop()
  }
}

async function measureForms({ port }: Product, addresses: Addresses, suffix: string): Promise<Figure[]> {
  let connection = await openConnection(port)
  const taken = FORMS.map(
    (): Durations => ({ known: [], unknown: [], deactivated: [], 'with a provider only': [] }),
  )
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % ROUNDS_PER_CLIENT === 0) {
        connection.close()
        connection = await openConnection(port, `127.1.${1 + round / ROUNDS_PER_CLIENT}.1`)
      }
      for (const user of shuffled(USERS)) {
        const email = addresses[user][round % ADDRESSES] ?? ''
        const times = [
          await timeSignIn(connection, port, email),
          ...(await timeRecovery(connection, port, email)),
        ]
        for (const [form, time] of times.entries()) taken[form]?.[user].push(time)
      }
    }
  } finally {
    connection.close()
  }
  return FORMS.flatMap((form, n) => figuresOf(`${form}${suffix}`, taken[n] as Durations))
}

function figuresOf(name: string, { known, ...others }: Durations): Figure[] {
  const apart = Object.values(others).map((times) => Math.abs(shareOfSlower(times, known) - 0.5))
  const differences = Object.values(others).map((times) => Math.abs(median(times) - median(known)))
  return [
    {
      name: `${name}: told apart by its time`,
      unit: '%',
      value: (Math.max(...apart) + 0.5) * 100,
      goal: { at_most: 55 },
      aside: true,
    },
    {
      name: `${name}: difference of the medians`,
      unit: 'ms',
      value: Math.max(...differences),
      goal: { at_most: 3 },
      aside: true,
    },
  ]
}

/** Mann-Whitney AUC. */
function shareOfSlower(some: readonly number[], others: readonly number[]): number {
  const wins = some.flatMap((one) => others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length
}

async function timeSignIn(connection: Connection, port: number, identifier: string): Promise<number> {
  const path = await openFlow(connection, port, 'login')
  return await time(
    connection,
    requestText(port, 'POST', path, {}, { method: 'password', identifier, password: 'not this one' }),
    400,
  )
}

async function timeRecovery(connection: Connection, port: number, email: string): Promise<number[]> {
  const path = await openFlow(connection, port, 'recovery')
  const send = requestText(port, 'POST', path, {}, { method: 'code', email })
  const guess = requestText(port, 'POST', path, {}, { method: 'code', code: 'abcdef' })
  return [await time(connection, send, 200), await time(connection, guess, 200)]
}

async function time(connection: Connection, request: string, expected: number): Promise<number> {
  const started = performance.now()
  const { status, body } = await connection.exchange(request)
  const took = performance.now() - started
  if (status !== expected) throw new Error(`answered with ${status}: ${body.slice(0, 300)}`)
  return took
}

async function settle(product: Product): Promise<Addresses> {
  const addresses: Addresses = {
    known: emails('known'),
    unknown: emails('unknown'),
    deactivated: emails('closed'),
    'with a provider only': emails('social'),
  }
  const password = { password: { config: { password: 'a bench of oak' } } }
  for (const email of addresses.known) await createAccount(product, email, { credentials: password })
  for (const email of addresses.deactivated)
    await createAccount(product, email, { credentials: password, state: 'inactive' })
  for (const email of addresses['with a provider only']) {
    const oidc = { config: { providers: [{ provider: 'github', subject: email }] } }
    await createAccount(product, email, { credentials: { oidc } })
  }
  return addresses
}

function emails(name: string): string[] {
  return Array.from({ length: ADDRESSES }, (_, n) => `${name}-${n}@example.com`)
}

async function keepBusy(product: Product): Promise<() => Promise<void>> {
  const user = await createUser(product)
  const running = new Set<Promise<void>>()
  const tolerance = createTolerance()
  const once = async () => {
    // The next burst would close kept ones.
    const connection = await openConnection(product.port)
    await signIn(connection, product.port, user).finally(() => connection.close())
  }
  const timer = setInterval(() => {
    if (running.size >= 8) return
    const one = tolerance.try(once).then(() => void running.delete(one))
    // Awaited at the end.
    one.catch(() => {})
    running.add(one)
  }, 1000 / SIGN_INS_A_SECOND)
  return async () => {
    clearInterval(timer)
    await Promise.all(running)
    tolerance.assertFewRefused()
  }
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
