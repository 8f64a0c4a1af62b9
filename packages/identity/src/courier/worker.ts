import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../contract/contract.ts'
import { claimDueMessages, type Message } from '../storage/messages.ts'
import { deliver, FIRST_PAUSE_MS, jittered, originOf, reasonOf } from './deliver.ts'
import { later, onMailQueued } from './queue.ts'
import { chooseSender } from './senders/choose.ts'
import type { Delivery, Sender } from './senders/sender.ts'
import type { Channel } from './templates/templates.ts'

const AT_ONCE = 5
/** Longer than a sender takes. Afterwards another worker takes over. */
const LEASE_MS = 120_000
const STOP_PATIENCE_MS = 5000
/** Users wait for codes, so the end of an outage must be noticed soon. */
const LONGEST_OUTAGE_PAUSE_MS = 30_000

/** Starts a worker per channel, so that an outage of one does not delay the other. `send` replaces the servers. */
export function startCourier(ctx: Context, send?: Sender['send']) {
  return (['email', 'sms'] as const).map((channel) =>
    startWorker(ctx, channel, send ? { send, close() {} } : chooseSender(ctx, channel)),
  )
}

/** Sends queued messages oldest first, at least once each. */
export function startWorker(ctx: Context, channel: Channel, sender: Sender) {
  const outage = trackOutage(ctx)
  const guarded = guardQueue(ctx)
  const deliveries = new Set<Promise<void>>()
  let stopped = false

  const claimFree = async () => {
    // An outage is probed with one message at a time.
    const free = (outage.isOn() ? 1 : AT_ONCE) - deliveries.size
    if (stopped || free <= 0 || outage.isWaiting()) return
    const count = Math.min(free, ctx.config.courier.worker.pull_count)
    for (const claimed of await guarded(() => claim(ctx, channel, count), [])) startDelivery(claimed)
  }
  // The work must not join the trace of the request that wakes the worker.
  const claiming = coalesceRuns(AsyncLocalStorage.bind(claimFree))

  function startDelivery(claimed: Message): void {
    const delivery = guarded(() => deliver(ctx, sender, claimed), undefined).then((result) => {
      if (!stopped) outage.track(result, claimed)
      deliveries.delete(delivery)
      claiming.start()
    })
    deliveries.add(delivery)
  }

  const timer = setInterval(claiming.start, ctx.config.courier.worker.pull_wait).unref()
  const unsubscribe = onMailQueued(ctx, channel, claiming.start)
  return {
    async stop(): Promise<void> {
      stopped = true
      clearInterval(timer)
      unsubscribe()
      await claiming.settled()
      await atMost(STOP_PATIENCE_MS, Promise.all(deliveries))
      sender.close()
      await Promise.all(deliveries)
    },
  }
}

function claim(ctx: Context, type: Channel, limit: number): Promise<Message[]> {
  const now = ctx.now()
  return claimDueMessages(ctx.db, { type, now: now.toISOString(), leased_until: later(now, LEASE_MS), limit })
}

function trackOutage(ctx: Context) {
  let failures = 0
  let overAt = 0
  const isWaiting = () => {
    const remainingMs = overAt - ctx.now().getTime()
    // A clock set back must not prolong the pause (FLT-12).
    return remainingMs > 0 && remainingMs <= 2 * LONGEST_OUTAGE_PAUSE_MS
  }
  return {
    isOn: () => failures > 0,
    isWaiting,
    track(delivery: Delivery | undefined, message: Message): void {
      if (delivery?.kind === 'unreachable' && !isWaiting()) {
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_OUTAGE_PAUSE_MS)
        overAt = ctx.now().getTime() + jittered(pause)
        failures += 1
        if (failures > 1) return
        const fields = { ...originOf(message), reason: reasonOf(message, delivery) }
        ctx.log.warn(fields, 'messages cannot be sent; they stay queued')
      }
      if (failures > 0 && delivery && delivery.kind !== 'unreachable') {
        failures = 0
        overAt = 0
        ctx.log.info({}, 'sending messages again')
      }
    },
  }
}

function guardQueue(ctx: Context) {
  let failing = false
  return async <T>(work: () => Promise<T>, fallback: T): Promise<T> => {
    try {
      const result = await work()
      if (failing) ctx.log.info({}, 'message queue recovered')
      failing = false
      return result
    } catch (error) {
      // Claimed messages are retried when their lease expires.
      if (!failing) ctx.log.error({ err: error }, 'message queue cannot be read or written')
      failing = true
      return fallback
    }
  }
}

/** Calls during a run cause one more. */
function coalesceRuns(run: () => Promise<void>) {
  let currentRun: Promise<void> | undefined
  let runsAgain = false
  async function rounds(): Promise<void> {
    while (runsAgain) {
      runsAgain = false
      await run()
    }
    currentRun = undefined
  }
  return {
    start(): void {
      runsAgain = true
      currentRun ??= rounds()
    },
    settled: async (): Promise<void> => await currentRun,
  }
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const patience = new AbortController()
  const limit = sleep(milliseconds, undefined, { signal: patience.signal }).catch(() => undefined)
  await Promise.race([work, limit])
  patience.abort()
}
