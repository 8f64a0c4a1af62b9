import { ConfigError } from '../config/checks/config-error.ts'
import { newId } from '../crypto/random.ts'
import type { SecretLists } from '../crypto/secrets.ts'
import { ProtocolError, rootCauseOf, rootOf } from '../errors/errors.ts'
import { isPostgres } from '../storage/database.ts'
import type { DatabaseWatch } from '../storage/database-watch.ts'
import type { Db } from '../storage/db.ts'
import {
  describeDatabase,
  isInMemory,
  isMissingFile,
  migrateDatabase,
  openDatabase,
  tightenDatabase,
  watchDatabaseFile,
} from '../storage/db.ts'
import { primaryCode } from '../storage/driver-errors.ts'
import {
  createHeartbeat,
  ensureInstallation,
  findHeartbeat,
  findInstallation,
  keepLastSecrets,
} from '../storage/installation.ts'
import { type DatabaseReport, type Inspection, inspectDatabase } from '../storage/migrations/inspect.ts'
import {
  type MigrationSources,
  type Migrations,
  PATIENCE_MS,
  PendingMigrations,
  untilUnlocked,
} from '../storage/migrations/migrate.ts'
import { answers, type ProductDb, toProductDb } from '../storage/product-db.ts'
import { type ClockParts, createClock } from './clock.ts'
import { createReplica } from './replica.ts'

export interface Opening extends Pick<MigrationSources, 'product'>, ClockParts {
  /** The required id of the database. If absent, any is accepted. */
  readonly installation?: string
  readonly migrates?: boolean
  readonly image?: Uint8Array
  readonly watch: DatabaseWatch
  readonly warn: (sentence: string) => void
  readonly workers?: number
  readonly inUse?: boolean
  /** Absent if generated for this run, so that no other process can have them. */
  readonly secrets?: SecretLists
}

/**
 * Processes that share the database must know each other's secrets. Throws `ConfigError`,
 * `PendingMigrations`, `AnotherDatabase` or `LostSecrets`.
 */
export async function openConfigured(dsn: string, { installation, warn, secrets, ...how }: Opening) {
  if (how.workers !== undefined) assertSharable(dsn, secrets)
  const check = checkFor(dsn, installation)
  const db = await openDatabase(dsn, { ...how, warn, check }).catch(cannotBeOpened)
  for (const file of tightenDatabase(dsn))
    warn(`${file} was readable by other users: changed to its owner only`)
  try {
    const clock = createClock(how)
    await clock.measure(db)
    const installationId =
      (await findInstallation(db)) ?? (await ensureInstallation(db, newId(), clock.now().toISOString()))
    const lastUse = (await findHeartbeat(db)) ?? ''
    // PostgreSQL uses the clock of its server, and a demo may move its clock.
    if (!how.now && !isPostgres(db) && Date.parse(lastUse) > clock.now().getTime() + FUTURE_MS)
      warn(`the database was last used in the future, at ${lastUse}. Correct the clock of this machine`)
    const replica = createReplica(db, clock)
    const isShared = secrets !== undefined && (await replica.join(secrets))
    if (isShared && how.workers === undefined && !isPostgres(db))
      warn(
        `another server used ${describeDatabase(dsn)} within the last minute. If it still runs, stop it: SQLite is for one server`,
      )
    const heartbeat = createHeartbeat({
      ...{ db, id: installationId, clock, writePath: how.watch },
      assertInPlace: watchDatabaseFile(dsn),
    })
    return { db, installation: installationId, replica, heartbeat, now: clock.now }
  } catch (error) {
    await db.destroy()
    // The message is for users; operators need the cause, such as a full disk.
    throw error instanceof ProtocolError ? unopened(error) : error
  }
}

const FUTURE_MS = 5 * 60_000

/** Workers must read what the others store and sign. */
function assertSharable(dsn: string, secrets: SecretLists | undefined): void {
  if (isInMemory(dsn))
    throw new ConfigError([{ path: 'dsn', message: 'workers need a database that processes can share' }])
  if (!secrets)
    throw new ConfigError([
      { path: 'secrets.default', message: 'workers need a secret that all of them know' },
    ])
}

/** The database is not the expected `installation`, or it is empty. */
export class AnotherDatabase extends Error {}

function checkFor(dsn: string, expected: string | undefined) {
  if (expected === undefined) return undefined
  const assertExpected = (installation: string | undefined) => {
    if (installation === expected) return
    const kind = installation === undefined ? 'is empty' : 'is another one'
    throw new AnotherDatabase(
      `The database (${describeDatabase(dsn)}) ${kind}, not the one that was used here before`,
    )
  }
  if (isMissingFile(dsn)) assertExpected(undefined)
  return async (db: Db) =>
    assertExpected(await untilUnlocked(() => findInstallation(db), performance.now() + PATIENCE_MS))
}

/**
 * Returns the names of the applied migrations. `warn` gets a sentence if search by a part of an
 * address stays slow. `installation` is the required id of the database. Throws like `createIdentity`.
 *
 * @example await migrateIdentity(dsn)
 */
export async function migrateIdentity(
  dsn: string,
  { installation, ...how }: Partial<Pick<Opening, 'product' | 'warn' | 'installation'>> = {},
): Promise<string[]> {
  const check = checkFor(dsn, installation)
  return await migrateDatabase(dsn, { ...how, check }).catch(cannotBeOpened)
}

/** A database of the product alone, for an identity service elsewhere. */
export interface ProductDatabase {
  readonly db: ProductDb
  isReady(): Promise<boolean>
  stop(): Promise<void>
}

/** Throws `ConfigError` or `PendingMigrations`. */
export async function openProductDatabase(
  dsn: string,
  {
    migrations,
    ...how
  }: Pick<Opening, 'migrates' | 'workers' | 'inUse'> & { readonly migrations: Migrations },
): Promise<ProductDatabase> {
  const db = await openDatabase(dsn, { ...how, known: {}, product: migrations }).catch(cannotBeOpened)
  return { db: toProductDb(db), isReady: () => answers(db), stop: () => db.destroy() }
}

export function migrateProductDatabase(dsn: string, product: Migrations): Promise<string[]> {
  return migrateDatabase(dsn, { known: {}, product }).catch(cannotBeOpened)
}

/** Throws `ConfigError` if the database cannot be opened, is incompatible or damaged. */
export function diagnoseDatabase(dsn: string, how: Inspection): Promise<DatabaseReport> {
  return inspectDatabase(dsn, how).catch(cannotBeOpened)
}

/** Lets the next process start with any secrets. Throws `ConfigError`. */
export async function forgetSecrets(dsn: string): Promise<void> {
  const db = await openDatabase(dsn).catch(cannotBeOpened)
  await keepLastSecrets(db, undefined)
  await db.destroy()
}

function cannotBeOpened(cause: unknown): never {
  throw cause instanceof PendingMigrations || cause instanceof AnotherDatabase ? cause : unopened(cause)
}

function unopened(cause: unknown): ConfigError {
  const { code = '', message = '' } = Object(rootCauseOf(cause)) as Partial<NodeJS.ErrnoException>
  const key = `${primaryCode(rootCauseOf(cause)) ?? code} ${message}`
  const step = STEPS.find(([pattern]) => pattern.test(key))?.[1]
  const sentences = [`the database cannot be opened: ${rootOf(cause)}`, ...(step ? [step] : [])]
  return new ConfigError([{ path: 'dsn', message: sentences.join('. ') }], { cause })
}

/** By the code of PostgreSQL, SQLite or Node, followed by the message. */
const STEPS: readonly (readonly [key: RegExp, step: string])[] = [
  [
    /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|ENOENT connect|57P03)|connection timeout|trying to connect/,
    'Start its server, or correct its host and port',
  ],
  [/^28/, 'Correct its user and password, or create that role'],
  [/^3D000/, 'Create it with `create database`, or correct its name'],
  [/^53300/, 'Lower `max_conns`, or raise `max_connections` of its server'],
  [/^42501/, 'Make this user the owner of the database and its tables'],
  [/^(11|26) /, 'Name another file, or restore a backup'],
  [/^EISDIR/, 'Name a file in that folder'],
  [/^(ENOENT|ENOTDIR) .*, open/, 'Create its folder, or correct its path'],
  [/^(13 |53100|ENOSPC)/, 'Free space on its disk'],
  [/^(8|14) |^(EACCES|EROFS)/, 'Let this user write the file and its folder'],
]
