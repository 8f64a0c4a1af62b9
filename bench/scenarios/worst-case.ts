import { setTimeout as delay } from 'node:timers/promises'
import { openConnection, requestText } from '../connection.ts'
import type { Figure } from '../figure.ts'
import { attack, percentile, timesOf } from '../load.ts'
import { createUser, exchange, openFlow, type Product, signIn, withProduct } from '../product.ts'

const SECONDS = 8
const AT_ONCE = 100
const OTHER_CLIENT = '127.0.0.2'
/** The most that a form holds, in the slowest order to sort. */
const STACK = `a${'\u0315'.repeat(15_000)}${'\u0300'.repeat(15_000)}`
const PASSWORD = `a bench of oak ${'\u0315'.repeat(4_000)}${'\u0300'.repeat(4_000)}`

interface Attack {
  readonly port: number
  readonly text: string
}

/** Times a health probe next to expensive requests, with one process and two workers. */
export async function measureWorstCase(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of [1, 2]) {
    const p99 = await withProduct(probeDuringAttacks, { WORKERS: String(count) })
    const name = `/health/alive beside ${AT_ONCE} worst-case requests, WORKERS=${count}: p99`
    figures.push({ name, unit: 'ms', value: p99, goal: { at_most: 100 } })
  }
  return figures
}

async function probeDuringAttacks(product: Product): Promise<number> {
  const attacks = await attacksOn(product)
  let over = false
  const attackers = Array.from({ length: AT_ONCE }, (_, index) => {
    const { port, text } = attacks[index % attacks.length] as Attack
    return attack(
      port,
      `127.${index + 3}.1.1`,
      () => over,
      (connection) => connection.exchange(text),
    )
  })
  await delay(1_000)
  const probe = requestText(product.port, 'GET', '/health/alive')
  const connection = await openConnection(product.port, OTHER_CLIENT)
  const durations = await timesOf(SECONDS, 20, () => exchange(connection, probe, 'the probe'))
  over = true
  connection.close()
  await Promise.all(attackers)
  return percentile(durations, 0.99)
}

async function attacksOn(product: Product): Promise<Attack[]> {
  const { port, admin_port } = product
  const user = await createUser(product)
  const connection = await openConnection(port)
  const token = { 'X-Session-Token': await signIn(connection, port, user) }
  const form = async (kind: string, body: object, headers = {}): Promise<Attack> => {
    const path = await openFlow(connection, port, kind, headers)
    return { port, text: requestText(port, 'POST', path, headers, body) }
  }
  const find = requestText(admin_port, 'GET', `/admin/identities?credentials_identifier=${user.email}`)
  const admin = await openConnection(admin_port)
  const [account] = JSON.parse(await exchange(admin, find, 'the account')) as { id: string }[]
  admin.close()
  const onAdmin = (method: string, path: string, body: object): Attack => ({
    port: admin_port,
    text: requestText(admin_port, method, `/admin/identities${path}`, {}, body),
  })
  const deep = JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`) as object
  const email = `${STACK}@x.yz`
  const attacks = [
    await form('login', { method: 'password', identifier: email, password: 'x' }),
    await form('login', { method: 'password', identifier: user.email, password: PASSWORD }),
    await form('login', { method: 'password', identifier: 'x', password: 'x', transient_payload: deep }),
    await form('registration', { method: 'password', traits: { email }, password: PASSWORD }),
    await form('recovery', { method: 'code', email }),
    await form('settings', { method: 'password', password: PASSWORD }, token),
    onAdmin('POST', '', { traits: { email: email.repeat(3) } }),
    onAdmin('POST', '', { traits: { email: user.email }, metadata_public: deep }),
    onAdmin('PATCH', `/${account?.id}`, [
      { op: 'add', path: `/metadata_public${'/a'.repeat(50_000)}`, value: deep },
    ]),
  ]
  connection.close()
  return attacks
}
