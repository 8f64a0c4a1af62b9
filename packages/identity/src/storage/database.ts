import { Kysely, type KyselyConfig, PostgresAdapter } from 'kysely'
import type { Tables } from './tables.ts'

/** SQLite reads never wait for writers. On PostgreSQL, look-ups may have dedicated connections. */
export type Need = 'look-up' | 'read' | 'write'

interface Capabilities {
  readonly queueDelay: (need: Need) => number
  readonly lookups?: Kysely<Tables>
}

export class Database extends Kysely<Tables> {
  /** This database if no connections are reserved for session look-ups. */
  readonly sessionLookupDb: Kysely<Tables>
  /** How many milliseconds the next caller has been waiting. */
  readonly queueDelay: (need: Need) => number

  constructor(config: KyselyConfig, { queueDelay, lookups }: Capabilities) {
    super(config)
    this.queueDelay = queueDelay
    this.sessionLookupDb = lookups ?? this
  }

  override async destroy(): Promise<void> {
    await super.destroy()
    if (this.sessionLookupDb !== this) await this.sessionLookupDb.destroy()
  }
}

/** PostgreSQL writers run concurrently, so statements must lock the rows they read. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
