import type { Connection } from '../connection.ts'
import { openConnection, requestText } from '../connection.ts'
import type { Figure, Scenario } from '../figure.ts'
import type { Product } from '../product.ts'
import { createUser, exchange, newLookUp, register, signIn, withProduct } from '../product.ts'

/** Depends less on a busy machine than rates do. */
export const processorTime: Scenario = {
  name: 'processor-time',
  measure: () =>
    withProduct(async (product) => {
      const { port } = product
      const user = await createUser(product)
      const lookUp = await newLookUp(product)
      const form = requestText(port, 'GET', '/.ory/self-service/login/api')
      const costs: [string, number, (connection: Connection, turn: number) => Promise<unknown>][] = [
        ['a look-up', 5_000, (connection) => exchange(connection, lookUp, 'whoami')],
        ['a form', 2_000, (connection) => exchange(connection, form, 'opening a flow')],
        ['flow + login', 200, (connection) => signIn(connection, port, user)],
        [
          'flow + registration',
          200,
          (connection, turn) => register(connection, port, `visitor-${turn}@example.com`),
        ],
      ]
      const figures: Figure[] = []
      for (const [what, times, request] of costs)
        figures.push({
          name: `processor time of ${what}`,
          unit: 'ms',
          value: await measure(product, times, request),
        })
      return figures
    }),
}

/** The first quarter warms up. Each tenth comes from another network, against limits. */
async function measure(
  product: Product,
  times: number,
  request: (connection: Connection, turn: number) => Promise<unknown>,
): Promise<number> {
  const warm = Math.ceil(times / 4)
  let connection = await openConnection(product.port)
  let before = 0
  for (let turn = 0; turn < warm + times; turn += 1) {
    if (turn === warm) before = await secondsUsed(product)
    if (turn % Math.ceil(times / 10) === 0) {
      connection.close()
      connection = await openConnection(product.port, `127.${1 + Math.floor((turn * 10) / times)}.0.1`)
    }
    await request(connection, turn)
  }
  connection.close()
  return ((await secondsUsed(product)) - before) * (1000 / times)
}

/** For all threads. */
async function secondsUsed({ admin_port }: Product): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${admin_port}/metrics`)).text()
  return Number(/^process_cpu_seconds_total ([\d.]+)/m.exec(metrics)?.[1])
}
