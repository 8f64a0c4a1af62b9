import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../contract.ts'
import { messageOf } from '../errors.ts'
import type { PrimaryCalls } from './calls.ts'
import { createCollector } from './collector.ts'
import type { End, Member } from './member.ts'
import { describeEnd, forkMember, WorkerFailed } from './member.ts'
import { createRestarts } from './restarts.ts'

export interface PrimaryOptions {
  readonly count: number
  readonly log: Log
  /** Milliseconds that the workers may take to stop. */
  readonly stop_patience: number
  /** Answers what the workers ask. */
  readonly answer?: PrimaryCalls['ask']
}

/** The workers of this server. */
export interface Workers {
  /** What the first one told. */
  readonly told: unknown
  /** Rejects when workers end too often. */
  readonly failure: Promise<never>
  /** Lets all of them finish. Rejects if one failed. */
  stop(): Promise<void>
}

/** The pause before a worker that could not start is started again; until then the others serve. */
const TRY_AGAIN_MS = 15_000

/**
 * Starts the workers and keeps them running. The first one starts alone: it migrates the database, and an
 * error that prevents the start is reported once. Throws `WorkerFailed`.
 */
export async function startWorkers({ count, stop_patience, ...options }: PrimaryOptions): Promise<Workers> {
  cluster.setupPrimary({ serialization: 'advanced' })
  const crew = createCrew(count, options)
  try {
    const told = await crew.start(1)
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => crew.start(index + 2, told)))
    return { told, failure: crew.failure, stop: () => crew.stop(stop_patience) }
  } catch (error) {
    await crew.stop(0).catch(() => {})
    throw error
  }
}

function createCrew(count: number, { log, answer = refuse }: Pick<PrimaryOptions, 'log' | 'answer'>) {
  const alive = new Set<Member>()
  const serving = () => [...alive].filter(({ isReady }) => isReady)
  const { snapshots, keep } = createCollector(serving)
  const restarts = createRestarts()
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  failure.catch(() => {})
  let stopping = false
  let leader: Member | undefined

  async function start(number: number, told?: unknown): Promise<unknown> {
    const member = forkMember({ number, of: count, told }, { snapshots, ask: answer })
    alive.add(member)
    void member.ended.then(() => alive.delete(member))
    const own = await member.ready
    if (!leader) appoint(member)
    void member.ended.then((end) => replace(member, end, told ?? own)).catch(fail)
    return own
  }

  /** Only one worker sends messages and cleans up, so that no message is sent twice. */
  function appoint(member: Member | undefined): void {
    leader = member
    void member?.calls.lead.asEvent()
  }

  async function replace(member: Member, end: End, told: unknown): Promise<void> {
    keep(member)
    if (stopping) return
    log.error({ worker: member.number, ...end }, 'a worker ended: another one takes its place')
    if (leader === member) appoint(serving()[0])
    restarts.note(describeEnd(end))
    for (let started = false; !started && !stopping; ) started = await tryToStart(member.number, told)
  }

  async function tryToStart(number: number, told: unknown): Promise<boolean> {
    try {
      await start(number, told)
      log.info({ worker: number }, 'a worker serves again')
      return true
    } catch (error) {
      if (stopping) return false
      const reason = messageOf(error)
      log.error({ worker: number, reason }, 'a worker could not start: it is tried again')
      restarts.note(reason)
      await sleep(TRY_AGAIN_MS, undefined, { ref: false })
      return false
    }
  }

  return {
    start,
    failure,
    stop(patience: number): Promise<void> {
      stopping = true
      return stopAll([...alive], patience)
    },
  }
}

/** Those that do not serve yet have nothing to finish. */
async function stopAll(members: readonly Member[], patience: number): Promise<void> {
  const serving = members.filter(({ isReady }) => isReady)
  for (const member of members) {
    if (member.isReady) void member.calls.stop.asEvent()
    else member.kill()
  }
  const tooLong = setTimeout(() => {
    for (const member of serving) member.kill()
  }, patience)
  await Promise.all(members.map(({ ended }) => ended))
  clearTimeout(tooLong)
  const ends = await Promise.all(serving.map(({ ended }) => ended))
  const bad = ends.find(({ exit_code }) => exit_code !== 0)
  if (bad) throw new WorkerFailed(`a worker ended with ${describeEnd(bad)}`)
}

async function refuse(): Promise<never> {
  throw new Error('the primary answers no questions')
}
