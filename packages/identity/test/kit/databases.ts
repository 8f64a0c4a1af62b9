import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test as testOnce } from 'node:test'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/db.ts'
import { isChosen, runs } from '../input/sample.ts'
import { postgresDatabases } from '../servers/postgres-databases.ts'
import { SERVER_VARIABLE, startPostgres } from '../servers/postgres-server.ts'
import { migratedImage } from './sqlite-image.ts'

export interface Dialect {
  readonly name: 'SQLite' | 'PostgreSQL'
  readonly absent?: string
  create(atEnd: AtEnd, options: DsnOptions): Promise<string>
}

type AtEnd = (end: () => unknown) => void

interface DsnOptions {
  readonly shared?: boolean
  /** Without tables. Also for tests that change tables or count connections, because databases are reused. */
  readonly empty?: boolean
  readonly hasty?: boolean
}

const server = await provideServer()
const postgres = postgresDatabases(server)

const dialects: readonly Dialect[] = [
  { name: 'SQLite', create: newSqliteDatabase },
  {
    name: 'PostgreSQL',
    create: newPostgresDatabase,
    ...(server === '' ? { absent: 'there is no PostgreSQL on this machine' } : {}),
  },
]

interface Running {
  readonly dialect: Dialect
  readonly atEnd: AtEnd
}

const running = new AsyncLocalStorage<Running>()

/** Milliseconds. A hanging test fails under its name, and its resources end. */
const PATIENCE = runs(600_000, 3_600_000)

/**
 * On SQLite, and for the cases chosen in this run on PostgreSQL. `newDsn`, `openTestDatabase` and
 * `createTestIdentity` use that dialect and clean up after the test.
 */
export function test(name: string, run: Run): void {
  testOn('SQLite', name, run)
  if (isChosen(name, 16)) testOn('PostgreSQL', name, run)
}

export function testOnEach(name: string, run: Run): void {
  for (const dialect of dialects) testOn(dialect.name, name, run)
}

type Run = (t: TestContext) => unknown

export function testOn(dialectName: Dialect['name'], name: string, run: Run): void {
  const dialect = dialects.find((one) => one.name === dialectName)
  if (!dialect) return
  const options = { timeout: PATIENCE, ...(dialect.absent === undefined ? {} : { skip: dialect.absent }) }
  void testOnce(`${name} (${dialect.name})`, options, async (t) => {
    const ends: (() => unknown)[] = []
    t.after(async () => {
      for (const end of ends) await end()
    })
    await running.run({ dialect, atEnd: (end) => ends.unshift(end) }, () => run(t))
  })
}

/** In the running test's dialect. Outside this module's `test`, SQLite in memory. */
export async function newDsn(options: DsnOptions = {}): Promise<string> {
  const test = running.getStore()
  return test === undefined ? 'memory' : await test.dialect.create(test.atEnd, options)
}

/** After the running test, in reverse order. */
export function atEnd(end: () => unknown): void {
  running.getStore()?.atEnd(end)
}

export async function openTestDatabase(dsn?: string): Promise<Database> {
  const image = await migratedImage()
  const db = await openDatabase(dsn ?? (await newDsn()), { image })
  atEnd(() => db.destroy())
  return db
}

async function newSqliteDatabase(atEnd: AtEnd, options: DsnOptions): Promise<string> {
  const path = options.shared ? await newFile(atEnd, options) : 'memory'
  return options.hasty || options.empty ? path : `${path}?_busy_timeout=120000`
}

async function newFile(atEnd: AtEnd, { empty }: DsnOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-sqlite-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'identity.sqlite')
  if (!empty) writeFileSync(path, await migratedImage(), { mode: 0o600 })
  return path
}

/** A file that runs alone starts one. */
async function provideServer(): Promise<string> {
  const shared = process.env[SERVER_VARIABLE]
  if (shared !== undefined) return shared
  const own = await startPostgres()
  if (own) after(() => own.stop())
  return own?.url ?? ''
}

async function newPostgresDatabase(atEnd: AtEnd, { empty, hasty }: DsnOptions): Promise<string> {
  const { dsn, release } = await (empty ? postgres.create() : postgres.lease())
  atEnd(release)
  return hasty ? dsn : `${dsn}?connect_timeout=120&statement_timeout=20000`
}
