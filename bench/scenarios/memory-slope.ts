import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from '../connection.ts'
import { openConnection, requestText } from '../connection.ts'
import type { Scenario } from '../figure.ts'
import { residentMegabytes } from '../memory.ts'
import type { Product } from '../product.ts'
import { createTolerance, createUser, exchange, register, signIn, withProduct } from '../product.ts'

const WARM_UP_S = 900
const MEASURED_S = 600
const SAMPLE_S = 5
/** A second. */
const RATE = 100

/** In ten minutes, after fifteen in which compiled code and the heap settle. */
export const memorySlope: Scenario = {
  name: 'memory-slope',
  onlyByName: true,
  measure: () =>
    withProduct(async (product) => {
      const stop = await sendSteadily(product)
      await delay(WARM_UP_S * 1000)
      const samples: number[] = []
      while (samples.length < MEASURED_S / SAMPLE_S) {
        samples.push(residentMegabytes(product.pid))
        await delay(SAMPLE_S * 1000)
      }
      await stop()
      const value = slope(samples) * samples.length
      return [{ name: 'memory, growth in ten minutes', unit: 'MB', value, goal: { at_most: 1 } }]
    }),
}

/** Of each hundred: eighty look-ups, sixteen forms, three sign-ins, one registration. */
async function sendSteadily(product: Product): Promise<() => Promise<void>> {
  const { port } = product
  // Sign-ins end the oldest session.
  const [reader, user] = [await createUser(product), await createUser(product)]
  // A client may open a thousand forms.
  const connections = await Promise.all(
    Array.from({ length: 16 }, (_, index) => openConnection(port, `127.${index + 1}.0.1`)),
  )
  const [first] = connections
  if (!first) throw new Error('no connection was opened')
  const session = { 'X-Session-Token': await signIn(first, port, reader) }
  const lookUp = requestText(port, 'GET', '/.ory/sessions/whoami', session)
  const form = requestText(port, 'GET', '/.ory/self-service/login/api')
  const send = (connection: Connection, number: number): Promise<unknown> => {
    const turn = number % 100
    if (turn < 80) return exchange(connection, lookUp, 'whoami')
    if (turn < 96) return exchange(connection, form, 'opening a flow')
    if (turn < 99) return signIn(connection, port, user)
    return register(connection, port, `visitor-${number}@example.com`)
  }
  const tolerance = createTolerance()
  let ended = false
  let sent = 0
  const started = performance.now()
  const visitors = connections.map(async (connection) => {
    while (!ended) {
      const number = sent
      sent += 1
      await delay(Math.max(0, started + (number * 1000) / RATE - performance.now()))
      await tolerance.try(() => send(connection, number))
    }
    connection.close()
  })
  return async () => {
    ended = true
    await Promise.all(visitors)
    tolerance.assertFewRefused()
  }
}

/** Per sample. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const [covariance, variance] = values.reduce(
    ([above, below], value, index) => [
      above + (index - middle) * (value - mean),
      below + (index - middle) ** 2,
    ],
    [0, 0],
  ) as [number, number]
  return covariance / variance
}
