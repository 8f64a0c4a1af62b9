import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Snapshot, type WorkerSlot, workerSlotVariable } from '@ostiary/identity/serving'
import { type BirpcReturn, createBirpc } from 'birpc'
import type { PrimaryCalls, WorkerCalls } from './worker.ts'

export interface Member {
  readonly number: number
  readonly calls: BirpcReturn<WorkerCalls, PrimaryCalls>
  /** Resolves with its announcement when it listens. Rejects if it exits first. */
  readonly ready: Promise<unknown>
  readonly ended: Promise<End>
  isReady: boolean
  metrics: Snapshot | undefined
  kill(): void
}

export interface End {
  readonly exit_code: number
  readonly signal: string | null
}

export class WorkerFailed extends Error {}

const PING_EVERY_MS = 1000
const PING_PATIENCE_MS = 2000
/** In a row. Counted instead of timed, because a suspended machine is not stuck. */
const MISSED_PINGS = 3
/** A worker may hang before it is ready. Not for the first, which migrates. */
const START_PATIENCE_MS = 30_000

/** Starts this program again with the same arguments. */
export function forkMember(slot: WorkerSlot, answers: Pick<PrimaryCalls, 'snapshots' | 'ask'>): Member {
  const worker = cluster.fork(workerSlotVariable(slot))
  const { promise: ready, resolve, reject } = Promise.withResolvers<unknown>()
  // A worker may exit while the server stops.
  ready.catch(() => {})
  const ended = new Promise<End>((settle) => {
    worker.once('exit', (exit_code, signal) => settle({ exit_code, signal }))
    // Without a listener, the error would end the primary. If the system cannot start a process,
    // no exit event follows.
    worker.on('error', (error) => {
      if (worker.process.pid !== undefined) return
      reject(new WorkerFailed(`A worker could not be started: ${error.message}.`))
      settle({ exit_code: 1, signal: null })
    })
  })
  const calls = createBirpc<WorkerCalls, PrimaryCalls>(
    { ...answers, ready: resolve, failed: (reason) => reject(new WorkerFailed(reason)) },
    {
      post: (message) => void (worker.isConnected() && worker.send(message, () => {})),
      on: (listener) => void worker.on('message', listener),
      timeout: PING_PATIENCE_MS,
    },
  )
  const kill = () => void worker.process.kill('SIGKILL')
  const member: Member = {
    number: slot.number,
    calls,
    ready,
    ended,
    isReady: false,
    metrics: undefined,
    kill,
  }
  void ready.then(
    () => {
      member.isReady = true
      void killWhenStuck(member)
    },
    () => {},
  )
  const patience = slot.announcement === undefined ? undefined : setTimeout(kill, START_PATIENCE_MS)
  void Promise.race([ready.catch(() => {}), ended]).then(() => clearTimeout(patience))
  void ended.then((end) => {
    member.isReady = false
    calls.$close()
    reject(new WorkerFailed(`A worker exited before it was ready (${describeEnd(end)}).`))
  })
  return member
}

export function describeEnd({ exit_code, signal }: End): string {
  return signal ?? `exit code ${exit_code}`
}

/** Kills a stuck worker, which keeps its connections and perhaps the database's lock. */
async function killWhenStuck(member: Member): Promise<void> {
  for (let missed = 0; missed < MISSED_PINGS; ) {
    await sleep(PING_EVERY_MS, undefined, { ref: false })
    if (!member.isReady) return
    missed = await member.calls.ping().then(
      () => 0,
      () => missed + 1,
    )
  }
  member.kill()
}
