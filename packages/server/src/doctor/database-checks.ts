import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { canRead, type DatabaseReport, diagnoseDatabase } from '@ostiary/identity/operating'
import { listSecretUse } from '@ostiary/identity/serving'
import { describeUse } from '../admin/keys.ts'
import { StartError } from '../http/errors.ts'
import { JOBS_MIGRATION, migrationsOf } from '../jobs/table.ts'
import { commandText, type Settings } from '../settings/env.ts'
import { databaseDsn } from '../settings/identity.config.ts'
import { findSecrets, lostSecretAdvice, readInstallation, startOverAdvice } from '../start/data-folder.ts'
import {
  attempt,
  broken,
  type Check,
  compareClocks,
  type Finding,
  findingOf,
  ok,
  warning,
} from './finding.ts'
import { isWritable } from './local-checks.ts'

export const checkDatabase: Check = async ({ product, settings, deep, now }) => {
  const { database_file, in_memory } = settings
  const isElsewhere = settings.identity_url !== undefined
  if (isElsewhere && !product.migrations) return []
  if (in_memory)
    return [
      warning('The database is in memory: a stop deletes every account.', 'Remove DATABASE_URL=memory:.'),
    ]
  if (database_file !== undefined && !existsSync(database_file)) return [newDatabase(settings, database_file)]
  try {
    const report = await diagnoseDatabase(databaseDsn(settings), {
      deep,
      migrates: settings.migrates,
      product: migrationsOf(product),
      ...(isElsewhere && { known: {} }),
    })
    return [
      ...compareClocks('the database server', report.clock, now()),
      ...checkConnections(report),
      ...checkMigrations(settings, report),
      ...checkUnlisted(report),
      ...(isElsewhere
        ? []
        : [...checkOwner(settings, report.installation), ...(await checkSecrets(settings, report.marks))]),
    ]
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return [brokenDatabase(error)]
  }
}

function brokenDatabase(error: Error): Finding {
  const { message, fix } = findingOf('broken', error.message.replace(/^dsn: /, 'DATABASE_URL: '))
  return broken(message, fix || (message.includes('is full') ? 'Free space on it.' : 'Correct DATABASE_URL.'))
}

function checkConnections({ connections }: DatabaseReport): Finding[] {
  if (!connections || connections.wanted <= connections.allowed) return []
  const { wanted, allowed } = connections
  return [
    warning(
      `One replica opens up to ${wanted} connections, but the server gives this user ${allowed}.`,
      'Lower max_conns in DATABASE_URL, or raise the limit of the server.',
    ),
  ]
}

function newDatabase(settings: Settings, file: string): Finding {
  const folder = dirname(file)
  if (folder !== settings.data_dir && !isWritable(folder))
    return broken(`The folder ${folder} of DATABASE_URL cannot be written.`, `mkdir -p ${folder}`)
  if (readInstallation(settings) === undefined) return ok(`the first start creates ${file}`)
  return broken(
    `The database ${file} is missing, although it was used before.`,
    commandText('restore', 'FILE'),
  )
}

/** A secret was dropped although something is still encrypted with it. */
async function checkSealed(settings: Settings, secrets: readonly string[]): Promise<Finding[]> {
  const { unreadable } = await listSecretUse(databaseDsn(settings), secrets)
  if (Object.values(unreadable).every((count) => count === 0)) return []
  const message = `No secret decrypts ${describeUse(unreadable)}.`
  return [broken(message, 'Append the secret that was dropped to SECRETS or SECRETS_FILE.')]
}

function checkMigrations({ migrates }: Settings, { pending }: DatabaseReport): Finding[] {
  if (pending.length === 0) return [ok('reachable and up to date')]
  const names = pending.join(', ')
  if (migrates) return [ok(`reachable; the next start applies ${names}`)]
  return [broken(`The database lacks migrations (${names}) and MIGRATE is off.`, commandText('migrate'))]
}

function checkUnlisted({ unlisted }: DatabaseReport): Finding[] {
  const names = unlisted.filter((name) => name !== `product/${JOBS_MIGRATION}`)
  if (names.length === 0) return []
  return [
    warning(
      `The database has migrations that app/server.ts does not list: ${names.join(', ')}.`,
      'List each by the name it had, unless a newer version of the product applied them.',
    ),
  ]
}

function checkOwner(settings: Settings, installation: string | undefined): Finding[] {
  const expected = readInstallation(settings)
  if (expected === undefined || installation === expected) return []
  const kind = installation === undefined ? 'empty, not' : 'not'
  return [
    broken(`The database is ${kind} the one that was used with this data folder.`, startOverAdvice(settings)),
  ]
}

async function checkSecrets(settings: Settings, marks: string | undefined): Promise<Finding[]> {
  const secrets = attempt(() => findSecrets(settings))
  if (secrets instanceof StartError) return [findingOf('broken', secrets.message)]
  if (marks === undefined) return []
  if (secrets && canRead(marks, secrets)) return await checkSealed(settings, secrets)
  const advice = lostSecretAdvice(settings)
  return [findingOf('broken', `The database was last used with a secret that is missing here. ${advice}`)]
}
