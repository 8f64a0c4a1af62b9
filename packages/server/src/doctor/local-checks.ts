import { accessSync, constants, existsSync, rmdirSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { canRead, type DatabaseReport, diagnoseDatabase } from '@ostiary/identity/operating'
import { listSecretUse } from '@ostiary/identity/serving'
import { closePorts, openPort } from '@ostiary/identity-server'
import { PortError } from '@ostiary/identity-server/process'
import { describeUse } from '../admin/keys.ts'
import { StartError } from '../http/errors.ts'
import { migrationsOf } from '../jobs/table.ts'
import { adviseOn } from '../settings/advice.ts'
import { ADMIN_PORT, PUBLIC_PORT, type Settings } from '../settings/env.ts'
import { databaseDsn } from '../settings/identity.config.ts'
import { findStartProblems } from '../settings/start-problems.ts'
import {
  assertDataFolder,
  findSecrets,
  lostSecretAdvice,
  newSecret,
  readInstallation,
  startOverAdvice,
} from '../start/data-folder.ts'
import type { Check, Finding } from './finding.ts'
import { broken, compareClocks, findingOf, ok, PATIENCE_MS, warning } from './finding.ts'

export const checkSettings: Check = async ({ product, settings }) => {
  const problems = (await findStartProblems(product, settings, usableSecrets(settings))).map((problem) =>
    findingOf('broken', problem),
  )
  const advice = adviseOn(settings).map((sentence) => findingOf('warning', sentence))
  const mode = settings.production ? 'production' : settings.demo ? 'demo' : 'development'
  const findings = [...problems, ...advice]
  return findings.length > 0 ? findings : [ok(`${mode}, ${settings.public_url}`)]
}

/** Each relaxation of Trusted Types. */
export const checkPolicy: Check = async ({ product }) => {
  const { trustedTypes = [] } = product.policy ?? {}
  if (trustedTypes === 'off') {
    const message =
      'policy.trustedTypes in app/server.ts is off: a script may insert any text as HTML or code.'
    return [
      warning(message, 'List the names of the policies that the scripts create, or remove the scripts.'),
    ]
  }
  return trustedTypes.map((name) => ok(`scripts may create the Trusted Types policy ${name}`))
}

/** The first start makes one. `checkSecrets` reports a file that cannot be read. */
function usableSecrets(settings: Settings): readonly string[] {
  try {
    return findSecrets(settings) ?? [newSecret()]
  } catch (error) {
    if (error instanceof StartError) return [newSecret()]
    throw error
  }
}

export const checkPorts: Check = async ({ settings }) => {
  const { port, admin_port, admin_host, identity_url, listen_hosts: hosts } = settings
  const ports = [
    { hosts, port, settings: PUBLIC_PORT, health: publicHealth(settings) },
    {
      hosts: [admin_host],
      port: admin_port,
      settings: ADMIN_PORT,
      health: `${localUrl(admin_host, admin_port)}/admin/health/ready`,
    },
  ]
  const usedPorts = identity_url === undefined ? ports : ports.slice(0, 1)
  return await Promise.all(usedPorts.map((port) => checkPort(settings, port)))
}

export function publicHealth({ port }: Pick<Settings, 'port'>): string {
  return `${localUrl('localhost', port)}/health/ready`
}

function localUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function checkPort(
  settings: Settings,
  { health, ...port }: Parameters<typeof openPort>[1] & { health: string },
) {
  try {
    await closePorts(await openPort(() => {}, port), { drain: 0, grace: 0 })
    return ok(`${port.port} is free`)
  } catch (error) {
    if (!(error instanceof PortError)) throw error
    if (await isThisApp(settings, health)) return ok(`${port.port} is used by this app, which is running`)
    if ((await readHealth(health)) === 'not ready')
      return broken(`${port.port} is used by an app like this one that is not ready.`, 'Read its log.')
    return findingOf('broken', error.message)
  }
}

/** Its readiness check writes a row of the database, at most once a second. */
async function isThisApp(settings: Settings, health: string): Promise<boolean> {
  if (settings.identity_url !== undefined || settings.in_memory) return (await readHealth(health)) === 'ready'
  for (const wait_ms of [0, 1100]) {
    await sleep(wait_ms)
    const before = await readHeartbeat(settings)
    if ((await readHealth(health)) !== 'ready') return false
    if ((await readHeartbeat(settings)) !== before) return true
  }
  return false
}

async function readHeartbeat(settings: Settings): Promise<string | undefined> {
  const { database_file } = settings
  if (database_file !== undefined && !existsSync(database_file)) return undefined
  const report = await diagnoseDatabase(databaseDsn(settings), { deep: false }).catch(() => undefined)
  return report?.heartbeat
}

export async function readHealth(url: string): Promise<'ready' | 'not ready' | undefined> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined)
  const { status, error } = Object(await response?.json().catch(() => undefined))
  if (status === 'ok') return 'ready'
  return response?.status === 503 && (status === 'not ready' || error) ? 'not ready' : undefined
}

const LITTLE_SPACE = 500 * 2 ** 20
const FULL = 2 ** 20

export const checkDataFolder: Check = async ({ settings }) => {
  const { data_dir, in_memory } = settings
  if (in_memory) return []
  if (!existsSync(data_dir)) return [checkCreatable(settings)]
  try {
    assertDataFolder(settings)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [findingOf('broken', error.message)]
  }
  const folders = new Set(
    [data_dir, dirname(settings.database_file ?? data_dir)].filter((path) => existsSync(path)),
  )
  return [
    ...((statSync(data_dir).mode & 0o077) === 0
      ? []
      : [warning(`Other users of this machine can open ${data_dir}.`, `chmod 700 ${data_dir}`)]),
    ...[...folders].map(checkSpace),
  ]
}

function checkSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free > LITTLE_SPACE) return ok(`${folder} has ${Math.round(free / 2 ** 30)} GB free`)
  const report = free < FULL ? broken : warning
  return report(`The disk of ${folder} has ${Math.round(free / 2 ** 20)} MB left.`, `df -h ${folder}`)
}

/** Permissions are not enough: root may write everywhere, but cannot create a folder in /proc. */
function checkCreatable(settings: Settings): Finding {
  const { data_dir } = settings
  const parent = nearestFolder(data_dir)
  try {
    assertDataFolder(settings)
    return ok(`the first start creates ${data_dir}`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const fix = 'Set DATA_DIR to a folder that this user may write.'
    return broken(`The data folder ${data_dir} cannot be created.`, fix)
  } finally {
    for (let path = data_dir; path !== parent; path = dirname(path)) if (existsSync(path)) rmdirSync(path)
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}

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
      ...checkMigrations(settings, report.pending),
      ...(isElsewhere ? [] : await checkIdentity(settings, report)),
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

async function checkIdentity(
  settings: Settings,
  { installation, marks }: DatabaseReport,
): Promise<Finding[]> {
  return [...checkOwner(settings, installation), ...(await checkSecrets(settings, marks))]
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
  return broken(`The database ${file} is missing, although it was used before.`, 'npm run restore -- FILE')
}

/** A secret was dropped although something is still encrypted with it. */
async function checkSealed(settings: Settings, secrets: readonly string[]): Promise<Finding[]> {
  const { unreadable } = await listSecretUse(databaseDsn(settings), secrets)
  if (Object.values(unreadable).every((count) => count === 0)) return []
  const message = `No secret decrypts ${describeUse(unreadable)}.`
  return [broken(message, 'Append the secret that was dropped to SECRETS or SECRETS_FILE.')]
}

function checkMigrations({ migrates }: Settings, pending: readonly string[]): Finding[] {
  if (pending.length === 0) return [ok('reachable and up to date')]
  const names = pending.join(', ')
  if (migrates) return [ok(`reachable; the next start applies ${names}`)]
  return [broken(`The database lacks migrations (${names}) and MIGRATE is off.`, 'npm run migrate')]
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
  try {
    const secrets = findSecrets(settings)
    if (marks === undefined) return []
    if (secrets && canRead(marks, secrets)) return await checkSealed(settings, secrets)
    return [
      findingOf(
        'broken',
        `The database was last used with a secret that is missing here. ${lostSecretAdvice(settings)}`,
      ),
    ]
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [findingOf('broken', error.message)]
  }
}
