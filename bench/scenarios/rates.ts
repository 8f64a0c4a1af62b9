import { openConnection } from '../connection.ts'
import type { Scenario } from '../figure.ts'
import { withBareServer } from '../limits/bare.ts'
import { measureHashes } from '../limits/hashes.ts'
import { measureLoad, median, type Work } from '../load.ts'
import {
  createUser,
  exchange,
  lookUpRequest,
  type Product,
  registering,
  signIn,
  withProduct,
} from '../product.ts'

const VISITORS = 16
const ROUNDS = 5

export const whoami: Scenario = {
  name: 'whoami',
  measure: () =>
    withProduct(async (product) => {
      const { p99, ...rate } = await measureLookUps(product)
      const others = { kratos: '740', better_auth: '620' }
      return [
        { name: 'whoami', unit: '1/s', ...rate, goal: { share: 0.55 }, ...others },
        { name: 'whoami, 99 of 100 within', unit: 'ms', value: p99, aside: true },
      ]
    }),
}

export const login: Scenario = {
  name: 'login',
  measure: () =>
    withProduct(async (product) => {
      const user = await createUser(product)
      const rate = await measureHashing('verify', product, async (connection) => {
        await signIn(connection, product.port, user)
      })
      const others = { kratos: '1.9 to 32', better_auth: '75' }
      return [{ name: 'flow + login', unit: '1/s', ...rate, goal: { share: 0.6 }, ...others }]
    }),
}

export const registration: Scenario = {
  name: 'registration',
  measure: () =>
    withProduct(async (product) => {
      const rate = await measureHashing('hash', product, registering(product.port))
      return [{ name: 'flow + registration', unit: '1/s', ...rate, kratos: '0.4 to 25', better_auth: '74' }]
    }),
}

/** Product and bare server alternate, so that a busy moment affects both. */
async function measureLookUps(product: Product) {
  const { port } = product
  const connection = await openConnection(port)
  const requests: string[] = []
  while (requests.length < VISITORS) {
    const token = await signIn(connection, port, await createUser(product))
    requests.push(lookUpRequest(port, token))
  }
  const answer = await exchange(connection, requests[0] ?? '', 'whoami')
  connection.close()
  let asked = 0
  const sendRequest: Work = async (connection) => {
    asked += 1
    await exchange(connection, requests[asked % VISITORS] ?? '', 'whoami')
  }
  const load = { visitors: VISITORS, seconds: 2 }
  const [values, limits, p99s]: [number[], number[], number[]] = [[], [], []]
  await withBareServer(answer, async (bare) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { rate, p99 } = await measureLoad({ ...load, port }, sendRequest)
      values.push(rate)
      p99s.push(p99)
      limits.push((await measureLoad({ ...load, port: bare.port }, sendRequest)).rate)
    }
  })
  return { value: median(values), limit: median(limits), p99: median(p99s) }
}

async function measureHashing(kind: 'hash' | 'verify', { port }: Product, work: Work) {
  const [values, limits]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round += 1) {
    limits.push(await measureHashes(kind))
    values.push((await measureLoad({ visitors: 8, seconds: 4, port }, work, true)).rate)
  }
  return { value: median(values), limit: median(limits) }
}
