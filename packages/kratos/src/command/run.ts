import { parseArgs } from 'node:util'
import { ConfigError, messageOf, parseConfig, readWorkerSlot } from '@ostiary/identity/serving'
import { importFromKratos } from '@ostiary/identity-server'
import type { Primary } from '@ostiary/identity-server/process'
import {
  exitAfter,
  joinPrimary,
  keepHeapSmall,
  outliveReader,
  PortError,
  readTracing,
  readVariables,
  startWorkers,
  stopOnSignal,
  WorkerFailed,
  workersVariable,
} from '@ostiary/identity-server/process'
import { z } from 'zod'
import { loadConfig, type Overrides, readConfig } from '../configuration/load-config.ts'
import { kratos } from '../kratos.ts'
import { openLog } from './configured-log.ts'
import { check } from './differences.ts'
import type { Announcement, ReadConfig } from './service.ts'

/** A worker drains, finishes requests and web hooks, and exports traces. */
const LONGEST_STOP_MS = 20_000

/**
 * Runs the service with the arguments of the command. Sets the exit code after a failure.
 *
 * @example
 * ```ts
 * import { run } from '@ostiary/kratos/command'
 *
 * await run(['--config', 'kratos.yml'])
 * ```
 */
export async function run(args: readonly string[]): Promise<void> {
  // New files are private.
  process.umask(0o077)
  outliveReader()
  const slot = readWorkerSlot(process.env)
  const primary = slot && joinPrimary(slot)
  try {
    const options = readArguments(args)
    const { command, config: files = [], dev, help, 'forget-secrets': forgets } = options
    if (help) {
      process.stdout.write(HELP)
      return
    }
    const { WORKERS: count } = readVariables(z.object(workersVariable), process.env)
    if (files.length === 0)
      throw new ConfigError([{ path: '', message: `Name a configuration file.\n\n${HELP}` }])
    const overrides = { environment: process.env, dev }
    if (command !== 'serve') {
      process.exitCode = await tasks[command](options, files, overrides)
      return
    }
    const read: ReadConfig = (beforeReading) => loadConfig(files, overrides, beforeReading)
    if (forgets) await forgetOldSecrets(read)
    else if (count > 1 && !primary) await supervise(read, count)
    else await serve(read, primary)
  } catch (error) {
    if (primary) await primary.failed(sentenceOf(error))
    else process.stderr.write(`${sentenceOf(error)}\n`)
    process.exit(1)
  }
}

type Arguments = ReturnType<typeof readArguments>

/** These end with an exit code. */
const tasks = {
  check: async (_given: Arguments, files: readonly string[], overrides: Overrides) =>
    await check(await readConfig(files, overrides)),
  async import({ 'from-kratos-database': dsn }: Arguments, files: readonly string[], overrides: Overrides) {
    if (dsn === undefined)
      throw new ConfigError([
        { path: '', message: `Name a database with --from-kratos-database.\n\n${HELP}` },
      ])
    const { createIdentity } = await import('@ostiary/identity')
    const identity = await createIdentity(await loadConfig(files, overrides), {
      defaults: 'kratos',
      kratos,
    })
    return await importFromKratos(identity, dsn).finally(() => identity.stop())
  },
}

async function forgetOldSecrets(read: ReadConfig): Promise<void> {
  const { config } = parseConfig(await read())
  const { forgetSecrets } = await import('@ostiary/identity/operating')
  await forgetSecrets(config.dsn)
  process.stdout.write(
    'The next start may have any secrets. What the earlier ones encrypted stays unreadable.\n',
  )
}

async function serve(read: ReadConfig, primary: Primary | undefined): Promise<void> {
  // Imported on use, because the primary needs little memory.
  const { startService } = await import('./service.ts')
  keepHeapSmall()
  const { announcement, stop, ...calls } = await startService({
    read,
    tracing: readTracing(process.env),
    primary,
  })
  if (primary) return primary.ready(announcement, { ...calls, stop: () => exitAfter(stop) })
  stopOnSignal({ stop, longest: LONGEST_STOP_MS })
  process.stdout.write(announcement.text)
}

/** The primary serves no requests. */
async function supervise(read: ReadConfig, count: number): Promise<void> {
  const { config } = parseConfig(await read())
  const log = openLog(config, { shared: true })
  const workers = await startWorkers({ count, log, stop_patience: LONGEST_STOP_MS })
  stopOnSignal({ stop: workers.stop, longest: LONGEST_STOP_MS + 1000 })
  process.stdout.write((workers.announcement as Announcement).text)
}

function sentenceOf(error: unknown): string {
  const isSentence = [ConfigError, PortError, WorkerFailed].some((kind) => error instanceof kind)
  if (isSentence) return messageOf(error)
  return `The identity service could not start: ${messageOf(error)}`
}

export const HELP = `Starts the identity service alone.

  npm run identity -- --config FILE [--config FILE]
  npm run identity -- check --config FILE     compares with an Ory Kratos with this file: exit code 0
                                              if no client notices a change, 1 if one does, 2 if it would not start
  npm run identity -- import --config FILE --from-kratos-database DSN     copies accounts and sessions, then exits

  Environment variables override the files: SERVE_PUBLIC_PORT is serve.public.port.
  Changed files, and those that they name by file://, are read again while the service runs.
  WORKERS=4 starts four processes that share the ports, WORKERS=auto one for each core.
  OTEL_EXPORTER_OTLP_ENDPOINT exports traces: docs/operations.md.

  -c, --config FILE   YAML or JSON with Ory Kratos' own keys; a later file overrides earlier ones
  --dev               dev mode, whatever the files set
  --from-kratos-database DSN   SQLite file or PostgreSQL URL of an Ory Kratos v26.2.0, which is only read
  --forget-secrets    lets the next start use any secrets, then exits: for secrets that are lost for good
  -h, --help          prints this help

  The command serve and the options --watch-courier and --sqa-opt-out of Ory Kratos have no effect.
`

/** Throws `ConfigError` with the help. */
export function readArguments(args: readonly string[]) {
  try {
    const options = {
      config: { type: 'string', multiple: true, short: 'c' },
      dev: { type: 'boolean' },
      'forget-secrets': { type: 'boolean' },
      'from-kratos-database': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      'sqa-opt-out': { type: 'boolean' },
      'watch-courier': { type: 'boolean' },
    } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { ...values, command: commandOf(positionals) }
  } catch (error) {
    throw new ConfigError([{ path: '', message: `${messageOf(error)}\n\n${HELP}` }])
  }
}

function commandOf(words: readonly string[]): 'check' | 'import' | 'serve' {
  const text = words.join(' ')
  if (text === 'check' || text === 'import') return text
  if (['', 'serve', 'serve all'].includes(text)) return 'serve'
  throw new Error(`unknown command: ${text}`)
}
