import { accessSync, constants, existsSync, rmdirSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { diagnoseDatabase } from '@ostiary/identity/operating'
import { closePorts, openPort } from '@ostiary/identity-server'
import { PortError } from '@ostiary/identity-server/process'
import { StartError } from '../http/errors.ts'
import { adviseOn } from '../settings/advice.ts'
import { ADMIN_PORT, PUBLIC_PORT, type Settings } from '../settings/env.ts'
import { databaseDsn } from '../settings/identity.config.ts'
import { findStartProblems } from '../settings/start-problems.ts'
import { assertDataFolder, findSecrets, newSecret } from '../start/data-folder.ts'
import { localUrl, publicHealthUrl, readHealth } from '../start/health.ts'
import type { Check, Finding } from './finding.ts'
import { attempt, broken, findingOf, ok, warning } from './finding.ts'

export const checkSettings: Check = async ({ product, settings }) => {
  const secrets = attempt(() => findSecrets(settings))
  // The first start makes one. `checkSecrets` reports a file that cannot be read.
  const usableSecrets = secrets === undefined || secrets instanceof StartError ? [newSecret()] : secrets
  const problems = (await findStartProblems(product, settings, usableSecrets)).map((problem) =>
    findingOf('broken', problem),
  )
  const advice = adviseOn(settings).map((sentence) => findingOf('warning', sentence))
  const mode = settings.production ? 'production' : settings.demo ? 'demo' : 'development'
  const findings = [...problems, ...advice]
  return findings.length > 0 ? findings : [ok(`${mode}, ${settings.public_url}`)]
}

/** Each relaxation of Trusted Types. */
export const checkPolicy: Check = async ({ settings }) => {
  const { trustedTypes = [] } = settings.policy
  if (trustedTypes === 'off') {
    const message =
      'policy.trustedTypes in app/server.ts is off: a script may insert any text as HTML or code.'
    return [
      warning(message, 'List the names of the policies that the scripts create, or remove the scripts.'),
    ]
  }
  return trustedTypes.map((name) => ok(`scripts may create the Trusted Types policy ${name}`))
}

export const checkPorts: Check = async ({ settings }) => {
  const { port, admin_port, admin_host, identity_url, listen_hosts: hosts } = settings
  const ports = [
    { hosts, port, settings: PUBLIC_PORT, health: publicHealthUrl(settings) },
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

const LITTLE_SPACE = 500 * 2 ** 20
const FULL = 2 ** 20

export const checkDataFolder: Check = async ({ settings }) => {
  const { data_dir, in_memory } = settings
  if (in_memory) return []
  if (!existsSync(data_dir)) return [checkCreatable(settings)]
  const problem = attempt(() => assertDataFolder(settings))
  if (problem) return [findingOf('broken', problem.message)]
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
    const problem = attempt(() => assertDataFolder(settings))
    if (!problem) return ok(`the first start creates ${data_dir}`)
    const fix = 'Set DATA_DIR to a folder that this user may write.'
    return broken(`The data folder ${data_dir} cannot be created.`, fix)
  } finally {
    for (let path = data_dir; path !== parent; path = dirname(path)) if (existsSync(path)) rmdirSync(path)
  }
}

export function isWritable(folder: string): boolean {
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
