import { importFromKratos } from '@ostiary/identity-server'
import { createLog } from '@ostiary/identity-server/process'
import { StartError } from '../http/errors.ts'
import { createProductMetrics } from '../http/metrics.ts'
import type { Product } from '../product/product.ts'
import { commandText, readSettings } from '../settings/env.ts'
import { assertDataFolder } from '../start/data-folder.ts'
import { openIdentity } from '../start/open-identity.ts'

export const FROM_DATABASE = '--from-kratos-database'

/** Opens the database of the server, because the admin API accepts no sessions. */
export async function importDatabase(product: Product, [dsn, ...others]: readonly string[]): Promise<void> {
  if (dsn === undefined || others.length > 0)
    throw new StartError(`Name one database: ${commandText('import', `${FROM_DATABASE} DSN`)}`)
  const settings = readSettings(product)
  if (settings.in_memory)
    throw new StartError('A database in memory ends with this command. Set DATABASE_URL to the one to fill.')
  assertDataFolder(settings)
  const identity = await openIdentity(settings, {
    product,
    log: createLog({ level: 'warn', format: 'text', write: (line) => void process.stderr.write(line) }),
    metrics: createProductMetrics(),
    tracing: undefined,
    demo: undefined,
    primary: undefined,
  })
  if (!identity) throw new StartError('The service at IDENTITY_URL has the accounts: import there.')
  process.exitCode = await importFromKratos(identity, dsn).finally(() => identity.stop())
}
