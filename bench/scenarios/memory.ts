import { setTimeout as delay } from 'node:timers/promises'
import { residentMegabytes } from '../child.ts'
import { requestText } from '../connection.ts'
import type { Scenario } from '../figure.ts'
import { measureLoad } from '../load.ts'
import type { Product } from '../product.ts'
import { createUser, exchange, lookUpRequest, registering, signIn, withProduct } from '../product.ts'

export const memory: Scenario = {
  name: 'memory',
  measure: () =>
    withProduct(async (product) => {
      await delay(5_000)
      const idle = residentMegabytes(product.pid)
      const highest = await highestDuring(product.pid, () => workHard(product))
      const goals = { idle: { at_most: 90 }, loaded: { at_most: 180 } }
      return [
        { name: 'memory, idle', unit: 'MB', value: idle, goal: goals.idle, kratos: '90', better_auth: '108' },
        {
          name: 'memory, under load',
          unit: 'MB',
          value: highest,
          goal: goals.loaded,
          kratos: '230 to 320',
          better_auth: '301',
        },
      ]
    }),
}

async function highestDuring(pid: number, work: () => Promise<void>): Promise<number> {
  let highest = residentMegabytes(pid)
  const timer = setInterval(() => {
    highest = Math.max(highest, residentMegabytes(pid))
  }, 250)
  try {
    await work()
    return highest
  } finally {
    clearInterval(timer)
  }
}

async function workHard(product: Product): Promise<void> {
  const { port } = product
  const user = await createUser(product)
  const load = (visitors: number) => ({ port, visitors, seconds: 12 })
  await Promise.all([
    measureLoad(load(8), async (connection) => {
      const token = await signIn(connection, port, user)
      const request = lookUpRequest(port, token)
      for (let times = 0; times < 50; times += 1) await exchange(connection, request, 'whoami')
    }),
    measureLoad(load(4), registering(port), true),
    measureLoad(load(32), async (connection) => {
      const request = requestText(port, 'GET', '/.ory/self-service/login/api')
      await exchange(connection, request, 'opening a flow')
    }),
  ])
}
