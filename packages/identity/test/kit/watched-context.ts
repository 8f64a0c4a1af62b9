import type { KyselyPlugin } from 'kysely'
import type { Context } from '../../src/contract/contract.ts'
import { createOnce } from '../../src/contract/once.ts'
import { createPasswordHasher } from '../../src/crypto/passwords/password-hash.ts'
import { createSecrets } from '../../src/crypto/secrets.ts'
import { createProductHooks } from '../../src/extension/product-hooks.ts'
import { compileSchemas } from '../../src/identities/schema/schema.ts'
import { METRICS } from '../../src/metrics/catalogue.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import type { Background } from '../../src/service/background.ts'
import { allStrategies } from '../../src/strategies/all.ts'
import type { TestIdentity } from './kit.ts'

export interface Watch {
  hash(): void
  call(): void
  encrypt(): void
  wait(milliseconds: number): void
}

export function statementWatch(ran: (kind: string, rows: number) => void): KyselyPlugin {
  const kinds = new WeakMap<object, string>()
  return {
    transformQuery({ node, queryId }) {
      kinds.set(queryId, node.kind)
      return node
    },
    async transformResult({ result, queryId }) {
      ran(kinds.get(queryId) ?? '', result.rows.length)
      return result
    },
  }
}

export function contextOf(identity: TestIdentity, db: Context['db'], watch: Watch): Context {
  const { config } = identity
  const hasher = createPasswordHasher(config.hashers)
  const secrets = createSecrets(config.secrets)
  const counted =
    <Sent extends unknown[], T>(run: (...sent: Sent) => Promise<T>) =>
    (...sent: Sent): Promise<T> => {
      watch.hash()
      return run(...sent)
    }
  const silent = () => {}
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  return {
    db,
    config,
    strategies: allStrategies,
    schemas: compileSchemas(config.identity.schemas, config.identity.default_schema_id),
    secrets: {
      ...secrets,
      encrypt(purpose, text) {
        watch.encrypt()
        return secrets.encrypt(purpose, text)
      },
    },
    hasher: {
      ...hasher,
      hash: counted(hasher.hash),
      verify: counted(hasher.verify),
      verifyDummy: counted(hasher.verifyDummy),
    },
    now: () => identity.now(),
    sleep: async (milliseconds) => watch.wait(milliseconds),
    log,
    background: endlessBackground(),
    admission: { assertCapacity: async () => {}, waitToRead: async () => {}, stop() {} },
    metrics: createMetrics(METRICS),
    heartbeat: { assertWritable: async () => {}, assertReady: async () => {} },
    product: createProductHooks({}, db),
    once: createOnce(config),
    afterCommit: (effect) => effect(),
    async fetch() {
      watch.call()
      return new Response('')
    },
  }
}

function endlessBackground(): Background {
  const { signal } = new AbortController()
  let begun: Promise<unknown> = Promise.resolve()
  return {
    run(_queue, work) {
      begun = Promise.allSettled([begun, work(signal)])
    },
    async stop() {
      await begun
    },
  }
}
