import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { serverEnv, serverFlags } from '@ostiary/server/commands'

export interface Server {
  readonly port: number
  readonly pid: number
  /** Milliseconds to the first response. */
  readonly started_in: number
  readonly exit: Promise<number | null>
  stop(): Promise<void>
}

export interface StartOptions {
  readonly args?: readonly string[]
  /** A command that runs the one after it, such as `env`. */
  readonly through?: readonly string[]
  /** By default standard output is dropped and errors go to the terminal. */
  readonly onOutput?: (text: string) => void
}

export async function startServer(
  file: string,
  env: Readonly<Record<string, string>>,
  ready: { port: number; path: string },
  { args = [], through = [], onOutput }: StartOptions = {},
): Promise<Server> {
  const [command = '', ...rest] = [...through, process.execPath, ...serverFlags, file, ...args]
  const child = spawn(command, rest, {
    env: serverEnv({ PATH: process.env.PATH, HOME: process.env.HOME, ...env }),
    stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'ignore', 'inherit'],
  })
  if (onOutput)
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput)
  const closed = once(child, 'close')
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const started = performance.now()
  await firstAnswer(child, closed, ready)
  const started_in = performance.now() - started
  return { port: ready.port, pid: child.pid ?? 0, started_in, exit, stop: () => stop(child) }
}

async function firstAnswer(
  child: ChildProcess,
  closed: Promise<unknown>,
  { port, path }: { port: number; path: string },
): Promise<void> {
  const url = `http://127.0.0.1:${port}${path}`
  for (const deadline = performance.now() + 120_000; performance.now() < deadline; await delay(2)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      // The last output may arrive after the exit.
      await closed
      throw new Error(`The program ended with ${child.signalCode ?? `exit code ${child.exitCode}`}.`)
    }
    const answer = await fetch(url, { headers: { host: `localhost:${port}` } }).catch(() => undefined)
    if (answer?.ok) return
  }
  child.kill('SIGKILL')
  throw new Error(`${url} did not answer.`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

export function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) / 1024
}
