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
import { HELP, readArguments } from './arguments.ts'
import { check } from './check.ts'
import { openLog } from './configured-log.ts'
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
