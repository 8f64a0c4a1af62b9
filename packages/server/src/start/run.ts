import { relative } from 'node:path'
import type { Log, Primary } from '@ostiary/identity-server/process'
import {
  createLog,
  exitAfter,
  fileProblem,
  gatheredOutput,
  joinPrimary,
  keepHeapSmall,
  outliveReader,
  PortError,
  startWorkers,
  stopOnSignal,
  VERSION,
  WorkerFailed,
} from '@ostiary/identity-server/process'
import { StartError } from '../http/errors.ts'
import type { Product } from '../product/product.ts'
import { adviseOn } from '../settings/advice.ts'
import { commandText, readSettings, readSlot, type Settings } from '../settings/env.ts'
import { helpText, readArguments } from './command-line.ts'
import type { StartOptions } from './start.ts'

export async function run(product: Product, args: readonly string[]): Promise<void> {
  let log: Log | undefined
  let primary: Primary | undefined
  const [name = '', ...commandArgs] = args
  const loadCommand = commands[name]
  try {
    // Accounts, secrets and backups are private.
    process.umask(0o077)
    if (loadCommand) {
      endWithReader()
      const command = await loadCommand()
      return await command(product, commandArgs)
    }
    const { help, dev } = readArguments(args)
    if (help) {
      endWithReader()
      process.stdout.write(helpText(product, Object.keys(commands)))
      return
    }
    const settings = readSettings(product)
    log = openLog(settings)
    const slot = readSlot()
    primary = slot && joinPrimary(slot)
    if (settings.workers > 1 && !primary) await runWorkers(product, settings, { log, dev })
    else await serve(product, settings, { log, dev, primary })
  } catch (error) {
    log?.debug({ err: error }, 'start failed')
    const failedAction = loadCommand ? `${commandText(name)} failed` : `${product.config.name} cannot start`
    const reason = sentence(error, failedAction)
    if (primary) await primary.failed(reason)
    else process.stderr.write(`${reason}\n`)
    process.exit(1)
  }
}

function openLog(settings: Settings): Log {
  const { log_level: level, workers } = settings
  outliveReader()
  const log = process.stdout.isTTY
    ? createLog({ level, format: 'text', write: (line) => void process.stdout.write(line) })
    : createLog({ level, format: 'json', write: gatheredOutput({ shared: workers > 1 }) })
  if (!readSlot()) for (const advice of adviseOn(settings)) log.warn({}, advice)
  return log
}

function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`The output cannot be written: ${fileProblem(error) ?? error.message}.\n`)
    process.exit(1)
  })
}

async function serve(product: Product, settings: Settings, options: StartOptions): Promise<void> {
  // Loaded after the settings, so that a wrong one is reported at once.
  const { startProduct } = await import('./start.ts')
  keepHeapSmall()
  const { database, stop, ...calls } = await startProduct(product, settings, options)
  if (options.primary) return options.primary.ready({ database }, { ...calls, stop: () => exitAfter(stop) })
  stopOnSignal({ stop: logStop(stop, settings, options.log), longest: settings.drain_ms + LONGEST_STOP_MS })
  // Last: a program that reads this may stop the server at once.
  announce(product, settings, database, options.log)
}

async function runWorkers(
  product: Product,
  settings: Settings,
  { log, dev }: Pick<StartOptions, 'log' | 'dev'>,
): Promise<void> {
  if (dev) throw new StartError('npm run dev runs one process. Remove WORKERS, or use npm start.')
  const longest = settings.drain_ms + LONGEST_STOP_MS
  const demo = settings.demo ? await product.demo?.() : undefined
  const answer = demo?.answerWorkers(settings.public_url, settings.demo_providers)
  const workers = await startWorkers({ count: settings.workers, log, stop_patience: longest, answer })
  stopOnSignal({ stop: logStop(workers.stop, settings, log), longest: longest + 1000 })
  const { database } = workers.announcement as { database?: string }
  announce(product, settings, database, log)
}

type Command = (product: Product, args: readonly string[]) => Promise<void>

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  admin: async () => (await import('../admin/command.ts')).adminCommand,
  doctor: async () => (await import('../doctor/doctor.ts')).doctorCommand,
  migrate: async () => (await import('./migrate-command.ts')).migrateCommand,
  backup: async () => (await import('../backup/command.ts')).backupCommand,
  export: async () => (await import('../transfer/command.ts')).exportCommand,
  import: async () => (await import('../transfer/command.ts')).importCommand,
  restore: async () => (await import('../backup/command.ts')).restoreCommand,
}

/** LOG_LEVEL=debug logs the origin. */
function sentence(error: unknown, failedAction: string): string {
  if (!(error instanceof Error)) return `${failedAction}: ${error}`
  if ([PortError, StartError, WorkerFailed].some((kind) => error instanceof kind)) return error.message
  const { path } = error as NodeJS.ErrnoException
  const reason = fileProblem(error)
  const message = error.message.replace(/^dsn: /, 'DATABASE_URL: ')
  return [failedAction, reason && path, reason ? `${reason}.` : message].filter(Boolean).join(': ')
}

/** A log that ends without these lines is that of a process that crashed or was killed. */
function logStop(
  stop: () => Promise<void>,
  { production, drain_ms }: Settings,
  log: Log,
): () => Promise<void> {
  if (!production) return stop
  return async () => {
    log.info({ drain_ms }, 'stopping')
    await stop()
    log.info({}, 'stopped')
  }
}

/** Milliseconds from the end of the drain to the end of the process. */
const LONGEST_STOP_MS = 9_500

function announce({ config }: Product, settings: Settings, database: string | undefined, log: Log): void {
  if (settings.production) {
    const { public_url: address, port, database_file = database } = settings
    log.info({ address, port, version: VERSION, database: database_file }, 'listening')
    return
  }
  const lines = [
    [config.name, settings.public_url],
    ...(settings.demo ? [['Inbox', `${settings.public_url}/demo/inbox`]] : []),
    ...(settings.admin_ui ? [['Admin', `http://${settings.admin_host}:${settings.admin_port}/ui`]] : []),
    ...(settings.identity_url === undefined ? [] : [['Identity', settings.identity_url]]),
    ['Data', settings.database_file ? shortest(settings.database_file) : (database ?? 'nowhere here')],
  ]
  const width = Math.max(10, ...lines.map(([name = '']) => name.length + 2))
  const text = lines.map(([name = '', value]) => `  ${name.padEnd(width)}${value}`).join('\n')
  process.stdout.write(`\n${text}\n\n  Ctrl-C stops it.\n\n`)
}

function shortest(file: string): string {
  const fromHere = relative(process.cwd(), file)
  return fromHere.startsWith('..') ? file : fromHere
}
