import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, openConnection, requestText } from '../connection.ts'
import type { Figure, Scenario } from '../figure.ts'
import { attack, percentile, timesOf } from '../load.ts'
import type { Product, User } from '../product.ts'
import { createUser, exchange, lookUpRequest, signIn, withProduct } from '../product.ts'
import { measureWorstCase } from './worst-case.ts'

const SECONDS = 8
/** Limits per address must not affect the other client. */
const ATTACKER = '127.0.0.1'
const OTHER_CLIENT = '127.0.0.2'
const AT_ONCE = 110
const FLOWS_A_SECOND = 50

type Attack = (product: Product, user: User, isOver: () => boolean) => Promise<unknown>

export const hostile: Scenario = {
  name: 'hostile',
  async measure() {
    const figures: Figure[] = []
    for (const [name, begin] of Object.entries(ATTACKS))
      figures.push(...(await withProduct((product) => measureDuring(product, name, begin))))
    return [...(await measureWorstCase()), ...figures]
  },
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  nothing: async () => {},
  'requests that are slow to read': async ({ port }, _user, isOver) => {
    const form = Array.from({ length: 15_500 }, (_, n) => n.toString(36)).join('&')
    const head = `POST /.ory/self-service/login HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: application/json`
    const post = `${head}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`
    const get = requestText(port, 'GET', '/.ory/sessions/whoami', { Cookie: `x=${' '.repeat(14_000)}y` })
    await repeat(port, 4, isOver, async (connection) => {
      await connection.exchange(post)
      await connection.exchange(get)
    })
  },
  [`${AT_ONCE} sign-ins at once`]: async ({ port }, user, isOver) => {
    await repeat(port, AT_ONCE, isOver, (connection) => signIn(connection, port, user))
  },
  [`${FLOWS_A_SECOND} flows a second of one address`]: async ({ port }, _user, isOver) => {
    await repeat(port, 10, isOver, async (connection) => {
      await connection.exchange(requestText(port, 'GET', '/.ory/self-service/registration/browser'))
      await delay(10_000 / FLOWS_A_SECOND)
    })
  },
}

async function repeat(
  port: number,
  connections: number,
  isOver: () => boolean,
  work: (connection: Connection) => Promise<unknown>,
): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => attack(port, ATTACKER, isOver, work)))
}

async function measureDuring(product: Product, name: string, startAttack: Attack): Promise<Figure[]> {
  const [user, own] = [await createUser(product), await createUser(product)]
  const { port } = product
  const connection = await openConnection(port, OTHER_CLIENT)
  const token = await signIn(connection, port, own)
  let over = false
  const attacking = startAttack(product, user, () => over)
  await delay(1_000)
  const ask = lookUpRequest(port, token)
  const [lookUps, signIns] = await Promise.all([
    measureTimes(port, 20, async (other) => void (await exchange(other, ask, 'whoami'))),
    measureTimes(port, 300, async (other) => void (await signIn(other, port, own))),
  ])
  over = true
  await attacking
  connection.close()
  return [
    ...figuresOf(`whoami beside ${name}`, lookUps),
    ...figuresOf(`a second client's sign-in beside ${name}`, signIns, { at_most: 1_000 }),
  ]
}

interface Times {
  readonly durations: readonly number[]
  readonly refused: number
}

/** A request every `pause` milliseconds. */
async function measureTimes(
  port: number,
  pause: number,
  work: (connection: Connection) => Promise<void>,
): Promise<Times> {
  const connection = await openConnection(port, OTHER_CLIENT)
  let refused = 0
  const durations = await timesOf(SECONDS, pause, () => work(connection).catch(() => refused++))
  connection.close()
  return { durations, refused }
}

function figuresOf(name: string, { durations, refused }: Times, goal?: Figure['goal']): Figure[] {
  return [
    { name: `${name}: p95`, unit: 'ms', value: percentile(durations, 0.95), ...(goal ? { goal } : {}) },
    { name: `${name}: refused`, unit: '%', value: (refused / durations.length) * 100, aside: true },
  ]
}
