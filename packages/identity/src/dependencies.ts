import type { KratosFeatures } from './config/sources/kratos-features.ts'
import type { Log, Sleep } from './contract/contract.ts'
import type { Delivery, OutgoingMail } from './courier/senders/sender.ts'
import type { Extension } from './extension/extension.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { WorkerSlot } from './service/worker-slot.ts'
import type { Tracing } from './tracing/tracing.ts'

/** For tests and embedding servers. */
export interface IdentityDependencies extends Extension {
  /** Leaves missing keys at Ory Kratos' defaults, which require a schema and enable passwords only. */
  readonly defaults: 'kratos'
  /** Replaces the clock of the machine, which is corrected by the database's. */
  readonly now: () => Date
  /** For tests with a wrong clock of the machine. */
  readonly machineClock: () => Date
  /** For tests with a fake clock. */
  readonly sleep: Sleep
  readonly log: Log
  readonly fetch: typeof fetch
  /** From `@ostiary/kratos`, for configurations with Jsonnet or Go templates. */
  readonly kratos: KratosFeatures
  /** Sends emails and text messages instead of the servers in `courier`, each within a minute. */
  readonly send: (message: OutgoingMail) => Promise<Delivery>
  /** Receives warnings about the configuration at any log level. Defaults to `log.warn`. */
  readonly warn: (sentence: string) => void
  /** The expected `Identity.installation`. Startup fails with another or an empty database. */
  readonly installation: string
  /** If false, startup fails with `PendingMigrations` instead of migrating. */
  readonly migrates: boolean
  /** The bytes of a database to copy into a new in-memory SQLite database. */
  readonly image: Uint8Array
  /** For an embedding server's own metrics. */
  readonly metrics: Metrics
  /** Opened and stopped by the embedding server. */
  readonly tracing: Tracing
  /** For one of several workers: it gets its share of the machine and waits for `becomeLeader`. */
  readonly slot: WorkerSlot
}
