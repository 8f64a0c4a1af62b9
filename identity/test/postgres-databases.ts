import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../src/crypto/random.ts'
import { openDatabase } from '../src/storage/db.ts'

export interface PostgresDatabases {
  /** The URL of an empty database with all tables; `release` when it is no longer used. */
  lease(): Promise<Lease>
  /** The same without tables. */
  create(): Promise<Lease>
}

interface Lease {
  readonly dsn: string
  release(): Promise<unknown>
}

const TEMPLATE = 'with_tables'

/**
 * The databases of one server, which all test files share. Copying one takes a server up to half a second and
 * emptying one a few milliseconds: those with tables are reused.
 * @param server the URL of its first database
 */
export function postgresDatabases(server: string): PostgresDatabases {
  // A lease is a lock of this connection's session, so that no end of a process leaves one behind.
  const maintenance = new pg.Pool({
    connectionString: server,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  // The server may end before this process does.
  maintenance.on('error', () => {})
  /** Runs a statement on the server's first database; returns how many rows it gave. */
  const command = async (statement: string) => (await maintenance.query(statement)).rowCount ?? 0
  const urlOf = (name: string) => server.replace(/[^/]+$/, name)
  const exists = async (name: string) =>
    (await command(`select 1 from pg_database where datname = '${name}'`)) > 0
  const leased = new Set<number>()
  let template: Promise<void> | undefined

  /** The first number that neither this process nor another one uses. */
  async function lock(): Promise<number> {
    for (let number = 1; ; number += 1) {
      if (leased.has(number)) continue
      leased.add(number)
      if ((await command(`select where pg_try_advisory_lock(${number})`)) > 0) return number
      leased.delete(number)
    }
  }

  async function provide(name: string): Promise<void> {
    template ??= makeTemplate()
    await template
    if (await exists(name)) {
      await endConnections(name)
      if (await emptied(urlOf(name))) return
      await command(`drop database ${name} with (force)`)
    }
    await command(`create database ${name} template ${TEMPLATE}`)
  }

  async function endConnections(name: string): Promise<void> {
    const others = `select pid from pg_stat_activity where datname = '${name}'`
    await command(`select pg_terminate_backend(pid) from (${others}) as others`)
    while ((await command(others)) > 0) await sleep(2)
  }

  /**
   * Files run in parallel: the first one makes it, under a name that only the finished one has. The others wait; a
   * statement of theirs that failed would end the connection, and with it the leases of their process.
   */
  async function makeTemplate(): Promise<void> {
    await command('select pg_advisory_lock(0)')
    if (!(await exists(TEMPLATE))) {
      const draft = `draft_${newId().replaceAll('-', '')}`
      await command(`create database ${draft}`)
      await (await openDatabase(urlOf(draft))).destroy()
      await command(`alter database ${draft} rename to ${TEMPLATE}`)
    }
    await command('select pg_advisory_unlock(0)')
  }

  return {
    async lease() {
      const number = await lock()
      const name = `test_${number}`
      await provide(name)
      return {
        dsn: urlOf(name),
        async release() {
          await endConnections(name)
          await command(`select pg_advisory_unlock(${number})`)
          leased.delete(number)
        },
      }
    },
    async create() {
      const name = `test_${newId().replaceAll('-', '')}`
      await command(`create database ${name} template template1`)
      return { dsn: urlOf(name), release: () => command(`drop database ${name} with (force)`) }
    },
  }
}

/** DELETE is faster than TRUNCATE, except for many rows: dead ones slow the next test. */
const EMPTY = `
  set session_replication_role = replica;
  do $$ declare one text; begin
    for one in select relid::regclass::text from pg_stat_user_tables where relname not like 'kysely%' loop
      if pg_relation_size(one) > 65536 then execute 'truncate ' || one || ' cascade';
      else execute 'delete from ' || one; end if;
    end loop;
  end $$`

/** Whether the database could be emptied. False where a test ended early and left it closed. */
async function emptied(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    await client.query(EMPTY)
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
