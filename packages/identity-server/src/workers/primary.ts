import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Log, messageOf, type Snapshot, sumCounts } from '@ostiary/identity/serving'
import { describeEnd, type End, forkMember, type Member, WorkerFailed } from './member.ts'
import { createRestarts } from './restarts.ts'
import type { PrimaryCalls } from './worker.ts'

export interface PrimaryOptions {
  readonly count: number
  readonly log: Log
  /** Milliseconds in which workers must stop. */
  readonly stop_patience: number
  readonly answer?: PrimaryCalls['ask']
}

export interface Workers {
  readonly announcement: unknown
  /** Stops all workers gracefully. Rejects if one failed. */
  stop(): Promise<void>
}

/**
 * The first worker starts alone: it migrates and reports errors once. Throws `WorkerFailed` if it
 * fails. Afterwards only `stop` ends the server (FLT-31).
 */
export async function startWorkers({ count, stop_patience, ...options }: PrimaryOptions): Promise<Workers> {
  cluster.setupPrimary({ serialization: 'advanced' })
  const crew = createCrew(count, options)
  try {
    const announcement = await crew.start(1)
    const others = Array.from({ length: count - 1 }, (_, index) => index + 2)
    await Promise.all(
      others.map((number) =>
        crew.start(number, announcement).catch((error) => crew.retry(number, announcement, error)),
      ),
    )
    return { announcement, stop: () => crew.stop(stop_patience) }
  } catch (error) {
    await crew.stop(0).catch(() => {})
    throw error
  }
}

function createCrew(count: number, { log, answer = refuse }: Pick<PrimaryOptions, 'log' | 'answer'>) {
  const alive = new Set<Member>()
  const serving = () => [...alive].filter(({ isReady }) => isReady)
  const { snapshots, keepMetrics } = createCollector(serving)
  const restarts = createRestarts()
  let stopping = false
  let leader: Member | undefined

  async function start(number: number, announcement?: unknown): Promise<unknown> {
    restarts.started(number)
    const member = forkMember({ number, of: count, announcement }, { snapshots, ask: answer })
    alive.add(member)
    void member.ended.then(() => alive.delete(member))
    const ready = await member.ready
    if (!leader) appoint(member)
    void member.ended.then((end) => replace(member, end, announcement ?? ready))
    return ready
  }

  /** One worker sends messages and cleans up, which saves polling. */
  function appoint(member: Member | undefined): void {
    leader = member
    void member?.calls.becomeLeader.asEvent()
  }

  async function replace(member: Member, end: End, announcement: unknown): Promise<void> {
    keepMetrics(member)
    if (stopping) return
    const { number } = member
    log.error({ worker: number, ...end }, 'worker exited; starting a replacement')
    if (leader === member) appoint(serving()[0])
    await startAgain(number, announcement)
  }

  async function startAgain(number: number, announcement: unknown): Promise<void> {
    await sleep(restarts.pause(number))
    if (stopping) return
    await start(number, announcement).then(
      () => log.info({ worker: number }, 'worker replaced'),
      (error: unknown) => retry(number, announcement, error),
    )
  }

  function retry(number: number, announcement: unknown, error: unknown): void {
    if (stopping) return
    log.error({ worker: number, reason: messageOf(error) }, 'worker failed to start; retrying')
    void startAgain(number, announcement)
  }

  return {
    start,
    retry,
    stop(patience: number): Promise<void> {
      stopping = true
      return stopAll([...alive], patience)
    },
  }
}

function createCollector(serving: () => readonly Member[]) {
  /** Sums of workers that have exited. */
  let totals = Promise.resolve<Snapshot[]>([])
  return {
    async snapshots(): Promise<Snapshot[]> {
      const members = serving()
      await Promise.all(members.map(refreshMetrics))
      return [...(await totals), ...members.flatMap(({ metrics }) => (metrics ? [metrics] : []))]
    },
    /** A falling counter would look like a restart of the server. */
    keepMetrics({ metrics }: Member): void {
      // After an upgrade in place the imported file is gone.
      const ownMetrics = metrics ? [metrics] : []
      totals = totals.then((before) =>
        sumCounts([...before, ...ownMetrics], 1).then(
          (sum) => [sum],
          () => before,
        ),
      )
    },
  }
}

/** A silent worker keeps its last metrics. */
async function refreshMetrics(member: Member): Promise<void> {
  member.metrics = await member.calls.snapshot().catch(() => member.metrics)
}

/** Workers that do not serve yet have nothing to finish. */
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
  const failedEnd = ends.find(({ exit_code }) => exit_code !== 0)
  if (failedEnd) throw new WorkerFailed(`A worker exited with ${describeEnd(failedEnd)}.`)
}

async function refuse(): Promise<never> {
  throw new Error('the primary answers no questions')
}
