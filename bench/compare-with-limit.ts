import { openConnection } from './connection.ts'
import { withBareServer } from './limits/bare.ts'
import { measureHashes } from './limits/hashes.ts'
import { measureLoad, median, type Work } from './load.ts'
import { createUser, exchange, lookUpRequest, type Product, signIn } from './product.ts'

interface LimitComparison {
  /** Per second. */
  readonly value: number
  readonly limit: number
}

const VISITORS = 16
const ROUNDS = 5

/** Product and bare server alternate, so that a busy moment affects both. */
export async function measureLookUps(product: Product): Promise<LimitComparison & { readonly p99: number }> {
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
  const measure = async (bare: { readonly port: number }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { rate, p99 } = await measureLoad({ ...load, port }, sendRequest)
      values.push(rate)
      p99s.push(p99)
      limits.push((await measureLoad({ ...load, port: bare.port }, sendRequest)).rate)
    }
  }
  await withBareServer(answer, measure)
  return { value: median(values), limit: median(limits), p99: median(p99s) }
}

export async function measureHashing(
  kind: 'hash' | 'verify',
  { port }: Product,
  work: Work,
): Promise<LimitComparison> {
  const [values, limits]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round += 1) {
    limits.push(await measureHashes(kind))
    values.push((await measureLoad({ visitors: 8, seconds: 4, port }, work, true)).rate)
  }
  return { value: median(values), limit: median(limits) }
}
