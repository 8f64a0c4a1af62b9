import type { KyselyConfig } from 'kysely'
import { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** How a request uses the database. SQLite reads never wait for writers; PostgreSQL look-ups may have their own connections. */
export type Need = 'look-up' | 'read' | 'write'

interface Capabilities {
  readonly queueDelay: (need: Need) => number
  /** Connections that only session look-ups use. */
  readonly lookups?: Kysely<Tables>
}

/** An open database. A transaction in it is a plain `Db`. */
export class Database extends Kysely<Tables> {
  /** The same database, or the connections that only session look-ups use. */
  readonly sessionLookupDb: Kysely<Tables>
  /** How many milliseconds the next caller has been waiting for a connection or for other writers. */
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
