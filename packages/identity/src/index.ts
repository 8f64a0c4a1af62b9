import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnAccount, ownAccount } from './account/own-account.ts'
import { startCleanUp } from './clean-up/clean-up.ts'
import { type Config, withoutRestart } from './config/config.ts'
import { completeOptions, hasSecrets, type IdentityOptions, withOwnSecrets } from './config/defaults.ts'
import type { IdentityConfigInput } from './config/schema.ts'
import type { Context, Log, Sleep } from './contract/contract.ts'
import { createOnce } from './contract/once.ts'
import { listMails, type Mail } from './courier/read.ts'
import { startCourier } from './courier/worker.ts'
import { createPasswordHasher } from './crypto/passwords/password-hash.ts'
import { createSecrets } from './crypto/secrets.ts'
import type { IdentityDependencies } from './dependencies.ts'
import type { Mailer } from './extension/extension.ts'
import { createMailer, createProductHooks } from './extension/product-hooks.ts'
import { adminApp } from './http/admin/admin.ts'
import { logOutage } from './http/errors.ts'
import { createHttpHandlers, type HttpHandlers } from './http/handlers.ts'
import type { PlainRequest, RoutedResponse, SessionAnswer } from './http/look-ups/fast-path.ts'
import { checkSession, respondFast } from './http/look-ups/fast-path.ts'
import { publicApp } from './http/public/public.ts'
import type { App } from './http/route.ts'
import { compileSchemas } from './identities/schema/schema.ts'
import { keptLeases } from './limits/leases.ts'
import { METRICS } from './metrics/catalogue.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { guardedFetch } from './outgoing/guarded-fetch.ts'
import { createAdmission } from './service/admission.ts'
import { createBackground } from './service/background.ts'
import { createBackgroundJobs, serialize } from './service/jobs.ts'
import { databaseWatch, hashWatch, measureService } from './service/measures.ts'
import { type Opening, openConfigured } from './service/open-database.ts'
import { loadTexts, settingsReader } from './service/settings.ts'
import { shareOf, type WorkerSlot } from './service/worker-slot.ts'
import { isCompleteSession } from './sessions/find.ts'
import type { Database } from './storage/database.ts'
import { describeDatabase } from './storage/db.ts'
import { type EventPage, listEvents, type StoredEvent } from './storage/events.ts'
import { type ProductDb, toProductDb } from './storage/product-db.ts'
import { allStrategies } from './strategies/all.ts'
import { type ImportObserver, importFromKratos, type KratosImport } from './transfer/from-kratos.ts'

export { ConfigError } from './config/checks/config-error.ts'
export type { IdentityOptions } from './config/defaults.ts'
export type { IdentityConfigInput } from './config/schema.ts'
export type { ClaimsMapper } from './config/service.ts'
export type {
  ErrorWords,
  KratosFeatures,
  KratosTexts,
  Mapper,
  MapperUse,
} from './config/sources/kratos-features.ts'
export type { WebHookBody } from './config/web-hook.ts'
export type { Mail } from './courier/read.ts'
export type { Delivery, OutgoingMail } from './courier/senders/sender.ts'
export type { EmailTemplate, Letter } from './courier/templates/email.ts'
export type { Block, Email } from './courier/templates/page.ts'
export type { Letters } from './courier/templates/templates.ts'
export type { IdentityDependencies } from './dependencies.ts'
export type { ProtocolErrorParts } from './errors/errors.ts'
export type { AccountData, Extension, Hooks, Mailer, ProductTools } from './extension/extension.ts'
export { refusal } from './extension/product-hooks.ts'
export type { HttpHandlers } from './http/handlers.ts'
export { migrateIdentity } from './service/open-database.ts'
export type { Migration, ProductDb } from './storage/product-db.ts'
export type { ImportObserver, KratosImport } from './transfer/from-kratos.ts'

/** A running service. `fetch`, `handler` and `whoami` are for the app around it. */
export interface Identity extends HttpHandlers {
  /** Includes defaults. Durations are in milliseconds. */
  readonly config: Config
  /** The database for display, without its password. */
  readonly database: string
  /** For the tables of the embedding product. */
  readonly db: ProductDb
  readonly mail: Mailer
  /** The permanent id of the database. */
  readonly installation: string
  readonly metrics: Metrics
  /** The routes of the public port as a Hono app. `fetch` serves the same. */
  readonly publicApp: App
  /** The routes of the admin port. Without `serve.admin.token` they need no authentication, so expose them on loopback only. */
  readonly adminApp: App
  /**
   * Applies another configuration to new requests. Keys that need a restart keep their value, with a warning. Throws
   * `ConfigError` without changing anything. Concurrent calls run in order.
   */
  reconfigure(options: IdentityOptions): Promise<void>
  /** Starts background jobs, such as sending messages, unless another worker runs them. */
  start(): void
  /** Starts the background jobs in this worker. */
  becomeLeader(): void
  /** Lets background work finish for a few seconds, then closes the database. */
  stop(): Promise<void>
  /** The time of all replicas. */
  now(): Date
  /** Whether the database accepts writes, and the machine's clock is right. */
  isReady(): Promise<boolean>
  /**
   * Answers session look-ups, and rejects requests under load. Undefined if `publicApp` must respond. Does
   * not throw, even if the database fails.
   */
  respond(request: PlainRequest): Promise<RoutedResponse | undefined>
  /** The answer of whoami for a server in the same process. Does not throw, even if the database fails. */
  checkSession(headers: Headers): Promise<SessionAnswer>
  /** Queued and sent messages, newest first. */
  listMails(limit: number): Promise<Mail[]>
  /** The security events that an account owner may see, newest first. */
  listEvents(identity_id: string, page: EventPage): Promise<StoredEvent[]>
  /** Actions on an account beyond the protocol, such as export and deletion. */
  readonly account: OwnAccount
  /** Whether the session is live and has the second factor that its user needs. */
  isLiveSession(id: string): Promise<boolean>
  /** Copies the accounts and live sessions of an Ory Kratos database. */
  importFromKratos(dsn: string, observer: ImportObserver): Promise<KratosImport>
}

/**
 * Creates a service without listening: mount it with `fetch` or `handler`. Throws
 * `ConfigError`. Logs a warning for each known but unsupported key.
 *
 * @example
 * const identity = await createIdentity({ dsn: 'sqlite://./data.sqlite' })
 * createServer(identity.handler).listen(4433)
 */
export async function createIdentity(
  options: IdentityOptions = {},
  parts: Partial<IdentityDependencies> = {},
): Promise<Identity> {
  const input = completeOptions(options, parts.defaults)
  const { log = silent, metrics = createMetrics(METRICS), tracing, send } = parts
  const warn = parts.warn ?? ((sentence: string) => log.warn({}, sentence))
  const readSettings = settingsReader(warn, parts)
  const config = await readSettings(input)
  const { installation, replica, ...opened } = await openDb(input, config, { ...parts, log, metrics, warn })
  const runtime = { ...opened, log, metrics, tracing }
  const loadOutside = async (config: Config): Promise<Outside> => ({
    ...runtime,
    kratosTexts: await loadTexts(config, parts.kratos),
    sleep: parts.sleep ?? pause,
    fetch: parts.fetch ?? guardedFetch(config.clients.http),
    slot: parts.slot,
  })
  let current = compose(createContext(config, await loadOutside(config)))
  measureService(() => current.ctx)
  const presence = createBackgroundJobs(() => [replica.start()])
  const backgroundJobs = createBackgroundJobs(() => [
    ...startCourier(current.ctx, send),
    startCleanUp(current.ctx),
  ])
  return {
    get config() {
      return current.ctx.config
    },
    database: describeDatabase(config.dsn),
    installation,
    metrics,
    get publicApp() {
      return current.publicApp
    },
    get adminApp() {
      return current.adminApp
    },
    reconfigure: serialize(async (options) => {
      const input = completeOptions(options, parts.defaults)
      const previousCtx = current.ctx
      const newConfig = await readSettings(withOwnSecrets(input, previousCtx.config))
      const { config, pending } = withoutRestart(previousCtx.config, newConfig)
      if (hasSecrets(input)) await replica.join(config.secrets)
      if (pending.length > 0) warn(`these settings take effect after a restart: ${pending.join(', ')}`)
      current = compose(createContext(config, await loadOutside(config), previousCtx))
      backgroundJobs.restart()
    }),
    start() {
      presence.start()
      if (!parts.slot) backgroundJobs.start()
    },
    becomeLeader: backgroundJobs.start,
    async stop() {
      current.ctx.admission.stop()
      await Promise.all([presence.stop(), backgroundJobs.stop(), current.ctx.background.stop()])
      await replica.leave()
      await runtime.db.destroy()
    },
    ...createHttpHandlers(() => current),
    ...queries(runtime, () => current.ctx),
  }
}

type Shared = Partial<IdentityDependencies> & Pick<Opening, 'log' | 'metrics' | 'warn'>

async function openDb(input: IdentityConfigInput, { dsn, secrets }: Config, parts: Shared) {
  const openedDatabase = await openConfigured(dsn, {
    ...parts,
    watch: databaseWatch(parts, dsn),
    product: parts.migrations,
    ...(parts.slot && { workers: parts.slot.of, inUse: parts.slot.announcement !== undefined }),
    ...(hasSecrets(input) ? { secrets } : {}),
  })
  return { ...openedDatabase, product: createProductHooks(parts, openedDatabase.db) }
}

function queries({ db, heartbeat, now }: Pick<Context, 'db' | 'heartbeat' | 'now'>, ctx: () => Context) {
  return {
    now,
    db: toProductDb(db),
    mail: createMailer(ctx),
    isReady: () =>
      heartbeat.assertReady().then(
        () => true,
        (error: unknown) => {
          logOutage(ctx(), error, { path: '/health/ready' })
          return false
        },
      ),
    respond: (request: PlainRequest) => respondFast(ctx(), request),
    checkSession: (headers: Headers) => checkSession(ctx(), headers),
    listMails: (limit: number) => listMails(ctx(), limit),
    listEvents: (identity_id: string, page: EventPage) => listEvents(db, identity_id, page),
    account: ownAccount(ctx),
    importFromKratos: (dsn: string, observer: ImportObserver) => importFromKratos(ctx(), dsn, observer),
    isLiveSession: (id: string) => isCompleteSession(ctx(), id),
  }
}

function compose(ctx: Context) {
  return { ctx, publicApp: publicApp(ctx), adminApp: adminApp(ctx) }
}

interface Outside
  extends Pick<
    Context,
    'now' | 'sleep' | 'log' | 'fetch' | 'heartbeat' | 'metrics' | 'tracing' | 'product' | 'kratosTexts'
  > {
  readonly db: Database
  readonly slot: WorkerSlot | undefined
}

/** `before` is the context of the replaced configuration. */
function createContext(config: Config, { slot, ...parts }: Outside, previousContext?: Context): Context {
  const withSame = (key: 'hashers' | 'limits') =>
    JSON.stringify(previousContext?.config[key]) === JSON.stringify(config[key]) ? previousContext : undefined
  const sameLimits = withSame('limits')
  return {
    ...parts,
    config,
    strategies: allStrategies,
    schemas: compileSchemas(config.identity.schemas, config.identity.default_schema_id),
    secrets: createSecrets(config.secrets),
    once: createOnce(config, sameLimits && keptLeases(sameLimits.once)),
    afterCommit: (effect) => effect(),
    background: previousContext?.background ?? createBackground(parts.log),
    admission:
      previousContext?.admission ?? createAdmission(config.serve.public.max_delay, parts.db.queueDelay),
    // The existing queue bounds hashing on this machine.
    hasher:
      withSame('hashers')?.hasher ??
      createPasswordHasher(config.hashers, {
        watch: hashWatch(parts),
        sleep: parts.sleep,
        ...(slot && { cores: shareOf(availableParallelism(), slot) }),
      }),
  }
}

const pause: Sleep = (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {})

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
