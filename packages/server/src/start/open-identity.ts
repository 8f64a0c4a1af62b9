import type { Identity, ProductTools } from '@ostiary/identity'
import { ConfigError, createIdentity } from '@ostiary/identity'
import type { ProductDatabase } from '@ostiary/identity/operating'
import {
  AnotherDatabase,
  LostSecrets,
  openProductDatabase,
  PendingMigrations,
} from '@ostiary/identity/operating'
import type { Tracing } from '@ostiary/identity/serving'
import type { Log, Primary } from '@ostiary/identity-server/process'
import { StartError } from '../http/errors.ts'
import type { ProductMetrics } from '../http/metrics.ts'
import { migrationsOf } from '../jobs/table.ts'
import type { Demo, DemoClient } from '../product/demo.ts'
import type { Product } from '../product/product.ts'
import { commandText, type Settings } from '../settings/env.ts'
import { databaseDsn, identityConfig } from '../settings/identity.config.ts'
import { explainIssues } from '../settings/start-problems.ts'
import {
  keepInstallation,
  loadSecrets,
  lostSecretAdvice,
  readInstallation,
  startOverAdvice,
} from './data-folder.ts'

interface IdentityParts {
  readonly product: Product
  readonly log: Log
  readonly metrics: ProductMetrics
  readonly tracing: Tracing | undefined
  readonly demo?: Demo | undefined
  readonly primary?: Primary | undefined
  /** For tests. */
  readonly now?: () => Date
  readonly image?: Uint8Array | undefined
}

export function isFirst(primary: Primary | undefined): boolean {
  return primary?.slot.announcement === undefined
}

export async function openIdentity(
  settings: Settings,
  { product, log, metrics, tracing, demo, primary, now, image }: IdentityParts,
): Promise<Identity | undefined> {
  if (settings.identity_url !== undefined) return undefined
  const config = identityConfig(product, settings, loadSecrets(settings), demo?.clients)
  const migrations = migrationsOf(product)
  const identity = await createIdentity(config, {
    on: product.on ?? {},
    letters: product.letters ?? {},
    ...(migrations && { migrations }),
    ...(product.accountData && { accountData: product.accountData }),
    defaults: 'kratos',
    log,
    ...(now && { now }),
    ...(demo && { now: demo.now, send: demo.send }),
    ...(image && { image }),
    migrates: settings.migrates,
    metrics,
    tracing,
    slot: primary?.slot,
    warn: isFirst(primary) ? undefined : () => {},
    fetch: demo?.fetch,
    ...(product.kratos && { kratos: product.kratos }),
    installation: readInstallation(settings),
  }).catch((cause: unknown) => {
    throw withAdvice(cause, product, settings, demo?.clients)
  })
  keepInstallation(settings, identity.installation)
  return identity
}

/** With an identity service elsewhere, the product's tables have a separate database. */
export async function openOwnDatabase(
  settings: Settings,
  { product, log, primary }: Pick<IdentityParts, 'product' | 'log' | 'primary'>,
): Promise<ProductDatabase | undefined> {
  if (settings.identity_url === undefined) return undefined
  if ((product.on || product.accountData) && isFirst(primary)) log.warn({}, NOT_TOLD)
  const migrations = migrationsOf(product)
  if (!migrations) return undefined
  return await openProductDatabase(databaseDsn(settings), {
    migrations,
    migrates: settings.migrates,
    ...(primary && { workers: primary.slot.of, inUse: !isFirst(primary) }),
  }).catch((cause: unknown) => {
    throw withAdvice(cause, product, settings)
  })
}

const NOT_TOLD =
  'IDENTITY_URL is set: the hooks of the product do not run, and the rows of deleted accounts stay until you delete them'

/** With an identity service elsewhere, `db` needs migrations, and `mail` is missing. Using a missing one throws `StartError`. */
export function productTools(
  { identity, ownDatabase }: { identity: Identity | undefined; ownDatabase: ProductDatabase | undefined },
  now: () => Date,
): ProductTools {
  return {
    now,
    db: identity?.db ?? ownDatabase?.db ?? absent(NO_TABLES),
    mail: identity?.mail ?? absent(NO_MAIL),
  }
}

const NO_TABLES = 'With IDENTITY_URL, the product has a database only if app/server.ts lists migrations.'
const NO_MAIL =
  'The product sends emails through the embedded identity service. Remove IDENTITY_URL to use it.'

/** Not at once, because a product may take a part that it never uses. */
function absent<T extends object>(sentence: string): T {
  return new Proxy({} as T, {
    get() {
      throw new StartError(sentence)
    },
  })
}

/** Adds how to fix a database that the identity service rejects. */
export function withAdvice(
  cause: unknown,
  product: Product,
  settings: Settings,
  demos?: readonly DemoClient[],
): unknown {
  if (cause instanceof AnotherDatabase)
    return new StartError(`${cause.message}. ${startOverAdvice(settings)}`, { cause })
  if (cause instanceof LostSecrets)
    return new StartError(
      `The database was last used with a secret that is missing here: authenticator apps, codes and queued emails could not be read. ${lostSecretAdvice(settings)}. If it is lost for good, run \`${commandText('migrate', '--forget-secrets')}\`.`,
      { cause },
    )
  if (cause instanceof PendingMigrations)
    return new StartError(
      `${cause.message}. Run \`${commandText('migrate')}\` first, or remove MIGRATE=off.`,
      {
        cause,
      },
    )
  if (cause instanceof ConfigError)
    return new StartError(explainIssues(cause.issues, product, settings, demos).join('\n'), { cause })
  return cause
}
