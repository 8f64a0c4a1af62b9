import { migrateIdentity } from '@ostiary/identity'
import { forgetSecrets, migrateProductDatabase } from '@ostiary/identity/operating'
import { StartError } from '../http/errors.ts'
import { migrationsOf } from '../jobs/table.ts'
import type { Product } from '../product/product.ts'
import { commandText, readSettings, type Settings } from '../settings/env.ts'
import { databaseDsn } from '../settings/identity.config.ts'
import { assertDataFolder, readInstallation } from './data-folder.ts'
import { withAdvice } from './open-identity.ts'

export async function migrateCommand(product: Product, args: readonly string[]): Promise<void> {
  const forgets = args.length === 1 && args[0] === '--forget-secrets'
  if (args.length > 0 && !forgets)
    throw new StartError(
      `${commandText('migrate')} takes only --forget-secrets. DATABASE_URL names the database.`,
    )
  const settings = readSettings(product, undefined, [])
  assertMigratable(product, settings, forgets)
  assertDataFolder(settings)
  const dsn = databaseDsn(settings)
  const appliedNames = settings.identity_url
    ? await migrateProductDatabase(dsn, migrationsOf(product) ?? {})
    : await migrateIdentity(dsn, {
        product: migrationsOf(product),
        warn: (sentence) => void process.stderr.write(`Warning: ${sentence}.\n`),
        installation: readInstallation(settings),
      }).catch((cause: unknown) => {
        throw withAdvice(cause, product, settings)
      })
  process.stdout.write(
    appliedNames.length === 0
      ? 'The database is up to date.\n'
      : `${appliedNames.map((name) => `Applied ${name}`).join('\n')}\nThe database is up to date.\n`,
  )
  if (!forgets) return
  await forgetSecrets(dsn)
  process.stdout.write(
    'The next start may have any secrets. What the earlier ones encrypted stays unreadable.\n',
  )
}

function assertMigratable(product: Product, { identity_url, in_memory }: Settings, forgets: boolean): void {
  if (identity_url !== undefined && (forgets || !product.migrations))
    throw new StartError('The service at IDENTITY_URL has the database: migrate it there.')
  if (in_memory)
    throw new StartError('A database in memory is new at each start. Set DATABASE_URL to the one to migrate.')
}
