import { startCleanUp } from './clean-up/clean-up.ts'
import { ConfigError } from './config/config-error.ts'
import type { Config, IdentityConfigInput } from './config.ts'
import { parseConfig } from './config.ts'
import type { Context, Log } from './contract.ts'
import type { Mail } from './courier/read.ts'
import { listMails } from './courier/read.ts'
import { chooseSender } from './courier/senders/choose.ts'
import { startWorker } from './courier/worker.ts'
import { createPasswordHasher } from './crypto/password-hash.ts'
import { createSecrets } from './crypto/secrets.ts'
import { adminApp } from './http/admin.ts'
import type { PublicApp } from './http/public.ts'
import { publicApp } from './http/public.ts'
import { compileSchemas } from './identities/schema.ts'
import { resolveSources } from './load-config.ts'
import { guardedFetch } from './outgoing/guarded-fetch.ts'
import type { Db } from './storage/db.ts'
import { describeDatabase, openDatabase, pingDatabase } from './storage/db.ts'
import { allStrategies } from './strategies/all.ts'

export type { IdentityConfigInput } from './config.ts'
export type { Log } from './contract.ts'
export type { Mail } from './courier/read.ts'
export { createLog } from './log.ts'

/** What may be replaced: by tests, and by whoever embeds the service. */
export interface Parts {
  readonly now: () => Date
  readonly log: Log
  readonly fetch: typeof fetch
}

/** The identity service, ready to be mounted. */
export interface Identity {
  readonly config: Config
  /** Where the data is, in words for people: without a password. */
  readonly database: string
  /** The public port's routes, from `/self-service/…` on. */
  readonly publicApp: PublicApp
  /** The admin port's routes. Whoever reaches them may do everything: loopback only. */
  readonly adminApp: PublicApp
  /** Begins to send mails and to clean up. */
  start(): void
  /** Ends both and closes the database. */
  stop(): Promise<void>
  isReady(): Promise<boolean>
  /** The newest mails, for the inbox of demo mode and for tests. */
  listMails(limit: number): Promise<Mail[]>
}

/**
 * Composes the service: the one place that knows every part. Throws `ConfigError` when the configuration is wrong;
 * what it knows but does not support is logged as a warning once.
 */
export async function createIdentity(
  input: IdentityConfigInput,
  parts: Partial<Parts> = {},
): Promise<Identity> {
  const { config, warnings } = parseConfig(await resolveSources(input))
  const log = parts.log ?? silent
  for (const warning of warnings) log.warn({}, warning)
  const db = await openConfigured(config.dsn)
  const outside = { now: () => new Date(), fetch: guardedFetch(config.clients.http) }
  const ctx = createContext(config, db, { ...outside, ...parts, log })
  const sender = chooseSender(config)
  let background: { stop(): Promise<void> }[] = []
  return {
    config,
    database: describeDatabase(config.dsn),
    publicApp: publicApp(ctx),
    adminApp: adminApp(ctx),
    start() {
      if (background.length === 0) background = [startWorker(ctx, sender), startCleanUp(ctx)]
    },
    async stop() {
      await Promise.all(background.map((one) => one.stop()))
      await db.destroy()
    },
    isReady: () =>
      pingDatabase(db).then(
        () => true,
        () => false,
      ),
    listMails: (limit) => listMails(ctx, limit),
  }
}

async function openConfigured(dsn: string): Promise<Db> {
  try {
    return await openDatabase(dsn)
  } catch (cause) {
    const message = `the database cannot be opened: ${rootOf(cause)}`
    throw new ConfigError([{ path: 'dsn', message }], { cause })
  }
}

/** The driver's own words; some of its errors have only a code. */
function rootOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return rootOf(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

function createContext(config: Config, db: Db, parts: Parts): Context {
  return {
    ...parts,
    db,
    config,
    strategies: allStrategies,
    schemas: compileSchemas(config.identity.schemas, config.identity.default_schema_id),
    secrets: createSecrets(config.secrets),
    hasher: createPasswordHasher(config.hashers),
  }
}

const nothing = () => {}
const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
