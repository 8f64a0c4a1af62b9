import { importFromKratos } from '@ostiary/identity-server'
import { createLog } from '@ostiary/identity-server/process'
import { createAdminClient } from '../admin/admin-client.ts'
import { StartError } from '../http/errors.ts'
import { createProductMetrics } from '../http/metrics.ts'
import type { Product } from '../product/product.ts'
import { commandText, readSettings, resolveFile } from '../settings/env.ts'
import { parseCommandLine, plural } from '../start/command-line.ts'
import { assertDataFolder } from '../start/data-folder.ts'
import { openIdentity } from '../start/open-identity.ts'
import { exportAccounts } from './export.ts'
import { importAccounts, reportOf } from './import.ts'
import { readWhole } from './records.ts'
import { hashConfig, sources } from './sources.ts'

const FROM_DATABASE = '--from-kratos-database'

/**
 * `npm run import -- FILE --from kratos|auth0|firebase|cognito [--hash-config FILE]`, or
 * `--from-kratos-database DSN`.
 */
export async function importCommand(product: Product, args: readonly string[]): Promise<void> {
  if (args[0] === FROM_DATABASE) return await importDatabase(product, args.slice(1))
  const { file, values } = readArguments(args, 'import')
  const source = sources[values.from ?? 'kratos']
  if (!source) throw new StartError(`--from must be one of ${Object.keys(sources).join(', ')}.`)
  const parameters = values['hash-config']
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const counts = await importAccounts({
    stop: interrupted.signal,
    admin: createAdminClient(readSettings(product)),
    file,
    source,
    merges: values.from === 'auth0',
    hashConfig: parameters === undefined ? undefined : await readHashConfig(resolveFile(parameters)),
    onProgress: ({ imported, refused }) => tell(`${imported} imported, ${refused} refused`),
  }).finally(() => tell(''))
  if (counts.refused > 0) process.exitCode = 1
  const why = counts.refused > 0 ? ` ${reportOf(file)} says why.` : ''
  process.stdout.write(`${plural(counts.imported, 'account')} imported, ${counts.refused} refused.${why}\n`)
  if (counts.without_second_factor > 0)
    process.stdout.write(
      `${counts.without_second_factor} of them had a second factor that is not in the file: until they add one, their first factor is enough.\n`,
    )
}

/** Opens the database of the server, because the admin API accepts no sessions. */
async function importDatabase(product: Product, [dsn, ...others]: readonly string[]): Promise<void> {
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
  })
  if (!identity) throw new StartError('The service at IDENTITY_URL has the accounts: import there.')
  process.exitCode = await importFromKratos(identity, dsn).finally(() => identity.stop())
}

export async function exportCommand(product: Product, args: readonly string[]): Promise<void> {
  const { file } = readArguments(args, 'export')
  const admin = createAdminClient(readSettings(product))
  const counts = await exportAccounts(admin, file, ({ exported }) => tell(`${exported} exported`)).finally(
    () => tell(''),
  )
  process.stdout.write(
    `${plural(counts.exported, 'account')} exported to ${file}. It contains password hashes: keep it safe.\n`,
  )
  if (counts.without_second_factor > 0)
    process.stdout.write(
      `${counts.without_second_factor} of them have passkeys, an authenticator app or backup codes, which are not in the file.\n`,
    )
  if (counts.with_undo > 0)
    process.stdout.write(
      `${counts.with_undo} of them changed their address in the last 72 hours: the emailed link that restores the former one works at this server only.\n`,
    )
}

function readArguments(args: readonly string[], command: string) {
  const options = { from: { type: 'string' }, 'hash-config': { type: 'string' } } as const
  const sources = command === 'import' ? ' [--from kratos|auth0|firebase|cognito]' : ''
  const usage = commandText(command, `FILE${sources}`)
  const config = { args: [...args], options, allowPositionals: true }
  const { values, positionals } = parseCommandLine(config, usage)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new StartError(`Name one file.\n\n${usage}`)
  return { file: resolveFile(file), values }
}

async function readHashConfig(file: string) {
  const text = await readWhole(file)
  try {
    return hashConfig.parse(/^\s*\{/.test(text) ? JSON.parse(text) : Object.fromEntries(consolePairs(text)))
  } catch {
    throw new StartError(
      `${file} must hold base64_signer_key, base64_salt_separator, rounds and mem_cost, as the Firebase console shows them or as JSON.`,
    )
  }
}

/** `hash_config { algorithm: SCRYPT, rounds: 8, … }` */
function consolePairs(text: string): [string, string][] {
  return [...text.matchAll(/(\w+):\s*([\w+/=-]+)/g)].map(([, name = '', value = '']) => [name, value])
}

function tell(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`)
}
