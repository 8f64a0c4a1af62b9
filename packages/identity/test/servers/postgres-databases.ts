import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../../src/crypto/random.ts'
import { openDatabase } from '../../src/storage/db.ts'

export interface PostgresDatabases {
  /** With all tables. */
  lease(): Promise<Lease>
  /** Without tables. */
  create(): Promise<Lease>
}

interface Lease {
  readonly dsn: string
  release(): Promise<unknown>
}

const TEMPLATE = 'with_tables'

/**
 * Shared by all test files. Copying a database takes up to half a second, emptying one a few
 * milliseconds, so a process reuses those with tables.
 */
export function postgresDatabases(server: string): PostgresDatabases {
  const command = connect(server)
  const urlOf = (name: string) => server.replace(/[^/]+$/, name)
  const idle: Database[] = []
  let template: Promise<void> | undefined

  async function copy(from: string): Promise<Database> {
    const name = newName('test')
    await command(`create database ${name} template ${from}`)
    return { name, command: connect(urlOf(name)) }
  }

  async function provide(): Promise<Database> {
    template ??= makeTemplate()
    await template
    const known = idle.pop()
    // A test that ended early leaves one closed.
    return known && (await isEmptied(known)) ? known : await copy(TEMPLATE)
  }

  /** The first file creates the template under another name, while the others wait. */
  async function makeTemplate(): Promise<void> {
    await command('select pg_advisory_lock(0)')
    if ((await command(`select 1 from pg_database where datname = '${TEMPLATE}'`)) === 0) {
      const draft = newName('draft')
      await command(`create database ${draft}`)
      await (await openDatabase(urlOf(draft))).destroy()
      await command(`alter database ${draft} rename to ${TEMPLATE}`)
    }
    await command('select pg_advisory_unlock(0)')
  }

  return {
    async lease() {
      const database = await provide()
      return { dsn: urlOf(database.name), release: async () => void idle.push(database) }
    },
    async create() {
      const { name } = await copy('template1')
      return { dsn: urlOf(name), release: () => command(`drop database ${name} with (force)`) }
    },
  }
}

/** Returns the number of rows. */
type Command = (statement: string) => Promise<number>

interface Database {
  readonly name: string
  readonly command: Command
}

/** At the first statement. Does not keep the process alive. */
function connect(connectionString: string): Command {
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // The server may end first, or a test end all connections.
  pool.on('error', () => {})
  return async (statement) => (await pool.query(statement)).rowCount ?? 0
}

function newName(kind: string): string {
  return `${kind}_${newId().replaceAll('-', '')}`
}

async function isEmptied({ command }: Database): Promise<boolean> {
  try {
    if ((await command(PRODUCT_TABLES)) > 0) return false
    await command(END_OTHERS)
    while ((await command(OTHERS)) > 0) await sleep(2)
    await command(EMPTY)
    return true
  } catch {
    return false
  }
}

/** A product's tables are unknown here. */
const PRODUCT_TABLES = "select 1 from pg_class where relname = 'product_migration'"

const OTHERS =
  'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
const END_OTHERS = `select pg_terminate_backend(pid) from (${OTHERS}) as others`

/** Faster than TRUNCATE except for many rows, whose dead tuples slow the next test. */
const EMPTY = `
  set session_replication_role = replica;
  do $$ declare one text; begin
    for one in select oid::regclass::text from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
    loop
      if pg_relation_size(one) > 65536 then execute 'truncate ' || one || ' cascade';
      elsif pg_relation_size(one) > 0 then execute 'delete from ' || one; end if;
    end loop;
  end $$`
