import type { Identity } from '../src/index.ts'
import { App, Browser } from './clients.ts'
import { newDsn } from './databases.ts'
import { createTestIdentity } from './kit.ts'

/** Two services on one database, and a balancer that gives each request to the other one. */
export async function replicas(overrides: object = {}) {
  const dsn = await newDsn({ shared: true })
  const first = await createTestIdentity({ ...overrides, dsn })
  const second = await createTestIdentity({ ...overrides, dsn }, { now: first.now })
  let turn = 0
  const request: Identity['publicApp']['request'] = (...args) =>
    (turn++ % 2 === 0 ? first : second).publicApp.request(...args)
  const balanced = { ...first, publicApp: { request } } as unknown as Identity
  return { dsn, first, second, browser: () => new Browser(balanced), app: () => new App(balanced) }
}
