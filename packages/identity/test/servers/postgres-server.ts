import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'
import { provide } from './provide.ts'

/** The URL of the server that all test files share. */
export const SERVER_VARIABLE = 'TEST_POSTGRES_URL'

export interface PostgresServer extends AsyncDisposable {
  /** URL of its first database, without a password. */
  readonly url: string
  /** Makes a standby the primary. */
  promote(): void
  /** The parent first. Linux only. */
  processes(): number[]
  stop(): Promise<void>
}

interface Options {
  /** Commits survive a crash of the server. */
  readonly durable?: boolean
  /** In addition, as `name=value`. */
  readonly settings?: readonly string[]
  /** The URL of a primary with `STREAMS`. */
  readonly standbyOf?: string
}

/** Settings of a primary and its standby. */
export const STREAMS = ['wal_level=replica', 'max_wal_senders=4']

/** On a free port, without durable writes. Undefined if PostgreSQL is missing and cannot be installed. */
export async function startPostgres({
  durable = false,
  settings = [],
  standbyOf,
}: Options = {}): Promise<PostgresServer | undefined> {
  const programs = provide(findPrograms, 'postgresql')
  if (programs === undefined) return undefined
  const folder = mkdtempSync(join(placeForData(), 'my-app-postgres-'))
  const user = unprivileged(folder)
  const port = await freePort()
  try {
    if (standbyOf === undefined) initialise(programs, folder, user)
    else copy(programs, folder, user, standbyOf)
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    return {
      url,
      promote: () => run(programs, 'psql', ['-d', url, '-c', 'select pg_promote()'], user),
      ...(await serve(programs, folder, user, [
        `port=${port}`,
        ...(durable ? [] : ['synchronous_commit=off']),
        ...settings,
      ])),
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** A disk makes each new database ten times slower. Containers often have 64 MB of memory. */
function placeForData(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bsize, bavail } = statfsSync(MEMORY)
  return bsize * bavail > ROOM ? MEMORY : tmpdir()
}

const MEMORY = '/dev/shm'
/** Bytes. */
const ROOM = 1 << 30

function findPrograms(): string | undefined {
  const debian = globSync('/usr/lib/postgresql/*/bin').sort((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )
  const folders = [...debian, ...(process.env.PATH ?? '').split(delimiter)]
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))))
}

type User = { readonly uid: number; readonly gid: number } | Record<string, never>

/** PostgreSQL refuses to run as root, so `nobody` runs it. */
export function unprivileged(folder: string): User {
  if (process.getuid?.() !== 0) return {}
  const nobody = { uid: 65_534, gid: 65_534 }
  chownSync(folder, nobody.uid, nobody.gid)
  return nobody
}

function initialise(programs: string, folder: string, user: User): void {
  // Does not sort by bytes, so code that relies on the default order fails.
  const language = ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C.UTF-8', '--encoding=UTF8']
  const args = ['-D', join(folder, 'data'), '-U', 'postgres', '--auth=trust', '--no-sync', ...language]
  run(programs, 'initdb', args, user)
}

function copy(programs: string, folder: string, user: User, primary: string): void {
  const args = ['-D', join(folder, 'data'), '-d', primary, '--write-recovery-conf', '--checkpoint=fast']
  run(programs, 'pg_basebackup', [...args, '--no-sync'], user)
}

function run(programs: string, name: string, args: readonly string[], user: User): void {
  const { status, stderr, error } = spawnSync(join(programs, name), args, { ...user, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} failed: ${error?.message ?? stderr}`)
}

const FAST = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'jit=off']
/** Times must not depend on the session's time zone. */
const FAR_FROM_UTC = 'timezone=<-0930>+9:30'
const LITTLE_LOG = ['min_wal_size=32MB', 'max_wal_size=128MB']
const SMALL = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_connections=500',
  'shared_buffers=64MB',
  ...LITTLE_LOG,
]

/**
 * When its input closes, even by a kill of this process, the shell ends the server and removes its
 * folder.
 */
const WATCH = 'folder=$1; shift; "$@" & read -r _; kill -QUIT $! && wait $!; rm -rf "$folder"'

async function serve(programs: string, folder: string, user: User, own: readonly string[]) {
  const place = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', FAR_FROM_UTC, ...own]
  const settings = [...FAST, ...SMALL, ...place].flatMap((setting) => ['-c', setting])
  const command = [join(programs, 'postgres'), '-D', join(folder, 'data'), ...settings]
  const shell = spawn('/bin/sh', ['-c', WATCH, 'sh', folder, ...command], {
    ...user,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
    // Ctrl-C reaches only the tests.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()))
  await untilReady(shell.stderr)
  // The server does not keep the tests running.
  shell.unref()
  for (const stream of [shell.stdin, shell.stderr]) (stream as unknown as { unref(): void }).unref()
  const stop = async () => {
    // Until the server has ended.
    shell.ref()
    ;(shell.stderr as unknown as { ref(): void }).ref()
    shell.stdin.end()
    await ended
  }
  return {
    processes: () => descendantsOf(shell.pid ?? 0),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

async function untilReady(output: NodeJS.ReadableStream): Promise<void> {
  const said: string[] = []
  for await (const line of createInterface({ input: output })) {
    if (/ready to accept (read-only )?connections/.test(line)) {
      output.resume()
      return
    }
    said.push(line)
  }
  throw new Error(`PostgreSQL did not start: ${said.join('\n')}`)
}
