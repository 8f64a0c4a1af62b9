import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../contract/contract.ts'
import { newId } from '../crypto/random.ts'
import { unreachable } from '../errors/errors.ts'
import type { Message, MessageEnd, MessageTexts } from '../storage/messages.ts'
import { claimDueMessages, finishMessage } from '../storage/messages.ts'
import type { JsonObject } from '../wire/identity.ts'
import { observed } from './observed.ts'
import { onMailQueued } from './queue.ts'
import type { Channel } from './templates/templates.ts'

/** A message as a sender gets it. */
export interface OutgoingMail {
  /** The same at each attempt, so that a receiver can detect duplicates. */
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly created_at: string
  readonly channel: Channel
  readonly template_type: string
  /** For HTTP requests only. */
  readonly template_data?: JsonObject
}

/** The result of an attempt. A reason is one line without a secret. */
export type Delivery =
  | { readonly kind: 'sent' }
  /** This message is rejected permanently. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** This message was not accepted now. */
  | { readonly kind: 'postponed'; readonly reason: string }
  /** No message can be sent now; this one is not the cause. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export interface Sender {
  /** Takes at most a minute. */
  send(mail: OutgoingMail): Promise<Delivery>
  /** Closes connections; messages in progress fail. */
  close(): void
}

export interface Worker {
  /** A message was queued. */
  wake(): void
  /** Lets messages in progress finish for a few seconds, then closes the sender. */
  stop(): Promise<void>
}

const AT_ONCE = 5
/** Longer than a sender may take for a message. After that another worker takes over from a dead one. */
const LEASE_MS = 120_000
const STOP_PATIENCE_MS = 5000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15 * 60_000
/** 1 s, 5.5 s, 30 s, 3 min, 15 min: the default of five retries outlasts greylisting. */
const PAUSE_GROWTH = 5.5
/** Bounds the delay until the end of an outage is noticed, because codes are waiting. */
const LONGEST_OUTAGE_PAUSE_MS = 30_000

/**
 * Sends the queued messages of a channel, oldest first, at least once each. Each channel has its own worker, so that an
 * outage of one does not delay the other.
 */
export function startWorker(ctx: Context, channel: Channel, sender: Sender): Worker {
  const outage = trackOutage(ctx)
  const guarded = guardQueue(ctx)
  const underWay = new Set<Promise<void>>()
  let stopped = false

  const take = async () => {
    // During an outage one message at a time probes whether it is over.
    const free = (outage.isOn() ? 1 : AT_ONCE) - underWay.size
    if (stopped || free <= 0 || outage.isWaiting()) return
    const count = Math.min(free, ctx.config.courier.worker.pull_count)
    for (const claimed of await guarded(() => claim(ctx, channel, count), [])) begin(claimed)
  }
  // A request that queues a message wakes the worker, whose work belongs to the traces of many requests.
  const taking = coalesced(AsyncLocalStorage.bind(take))

  function begin(claimed: Message): void {
    const delivery = guarded(() => deliver(ctx, sender, claimed), undefined).then((learned) => {
      if (!stopped) outage.note(learned)
      underWay.delete(delivery)
      taking.start()
    })
    underWay.add(delivery)
  }

  const timer = setInterval(taking.start, ctx.config.courier.worker.pull_wait).unref()
  const forget = onMailQueued(ctx, channel, taking.start)
  return {
    wake: taking.start,
    async stop() {
      stopped = true
      clearInterval(timer)
      forget()
      await taking.settled()
      await atMost(STOP_PATIENCE_MS, Promise.all(underWay))
      sender.close()
      await Promise.all(underWay)
    },
  }
}

function claim(ctx: Context, type: Channel, limit: number): Promise<Message[]> {
  const now = ctx.now()
  return claimDueMessages(ctx.db, { type, now: now.toISOString(), leased_until: later(now, LEASE_MS), limit })
}

/**
 * Makes one attempt to send a claimed message and stores the result, which also tells whether the server is reachable.
 */
async function deliver(ctx: Context, sender: Sender, claimed: Message): Promise<Delivery | undefined> {
  const unfit = whyNotSent(ctx, claimed)
  const delivery = unfit ?? (await observed(ctx, claimed, () => attempt(ctx, sender, claimed)))
  const now = ctx.now()
  const end = endOf(ctx, claimed, delivery, now)
  const stored = await finishMessage(ctx.db, claimed, end, {
    id: newId(),
    message_id: claimed.id,
    created_at: now.toISOString(),
    ...(delivery.kind === 'sent' ? { status: 'success' } : { status: 'failed', error: delivery.reason }),
  })
  if (stored) report(ctx, claimed, end, delivery)
  return unfit ? undefined : delivery
}

function whyNotSent(ctx: Context, { expires_at }: Message): Delivery | undefined {
  if (expires_at === undefined || expires_at > ctx.now().toISOString()) return undefined
  return { kind: 'refused', reason: 'it expired before it could be sent' }
}

async function attempt(ctx: Context, sender: Sender, claimed: Message): Promise<Delivery> {
  const {
    id,
    type: channel,
    template_type,
    recipient,
    created_at,
    subject,
    body,
    html,
    template_data,
  } = claimed
  const open = (text: string) => ctx.secrets.decrypt('courier', text)
  try {
    return await sender.send({
      id,
      channel,
      template_type,
      recipient,
      created_at,
      subject: open(subject),
      text: open(body),
      html: open(html),
      ...(template_data === undefined
        ? {}
        : { template_data: JSON.parse(open(template_data)) as JsonObject }),
    })
  } catch (error) {
    // A message encrypted with a secret that is no longer configured, or a bug: it must not block the others.
    ctx.log.error({ err: error, message_id: id }, 'a message could not be passed to the sender')
    return { kind: 'postponed', reason: 'it could not be decrypted or passed to the sender' }
  }
}

function endOf(ctx: Context, { send_count }: Message, delivery: Delivery, now: Date): MessageEnd {
  switch (delivery.kind) {
    case 'sent':
      return { status: 'sent', send_count, ...erasedTexts(ctx) }
    case 'refused':
      return { status: 'abandoned', send_count }
    case 'postponed': {
      if (send_count > ctx.config.courier.message_retries) return { status: 'abandoned', send_count }
      const pause = Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** (send_count - 1), LONGEST_PAUSE_MS)
      return { status: 'queued', send_count, due_at: later(now, jittered(pause)) }
    }
    case 'unreachable':
      // An outage does not use up attempts: the worker waits for its end, and `expires_at` bounds the rest.
      return { status: 'queued', send_count: send_count - 1, due_at: now.toISOString() }
    default:
      return unreachable(delivery)
  }
}

/** A sent message may contain a code, and its copy in the database serves no user. */
function erasedTexts({ config, secrets }: Context): Partial<MessageTexts> {
  if (config.retention.sent_messages === 'keep') return {}
  const nothing = secrets.encrypt('courier', '')
  return { subject: nothing, body: nothing, html: nothing, template_data: null }
}

function report(
  ctx: Context,
  { id, type: channel, template_type, recipient, send_count }: Message,
  end: MessageEnd,
  delivery: Delivery,
) {
  if (delivery.kind === 'sent') return
  const fields = { message_id: id, template_type, reason: delivery.reason.replaceAll(recipient, '…') }
  if (end.status === 'abandoned') {
    ctx.metrics.add('identity_messages_abandoned_total', { channel })
    ctx.log.warn(fields, 'a message was abandoned')
  } else if (delivery.kind === 'postponed' && send_count === 1) {
    ctx.log.warn(fields, 'a message was postponed')
  }
}

/** Tracks whether the server is reachable; logs each change once. */
function trackOutage(ctx: Context) {
  let failures = 0
  let overAt = 0
  const isWaiting = () => {
    const left = overAt - ctx.now().getTime()
    // After the clock was set back, the pause must not last that much longer (FLT-12).
    return left > 0 && left <= 2 * LONGEST_OUTAGE_PAUSE_MS
  }
  return {
    isOn: () => failures > 0,
    isWaiting,
    note(delivery: Delivery | undefined): void {
      if (delivery?.kind === 'unreachable' && !isWaiting()) {
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_OUTAGE_PAUSE_MS)
        overAt = ctx.now().getTime() + jittered(pause)
        failures += 1
        if (failures > 1) return
        ctx.log.warn({ reason: delivery.reason }, 'messages cannot be sent at the moment and stay queued')
      }
      if (failures > 0 && delivery && delivery.kind !== 'unreachable') {
        failures = 0
        overAt = 0
        ctx.log.info({}, 'messages are sent again')
      }
    },
  }
}

/** Runs work on the queue. A failure returns `otherwise` and is logged once, until it works again. */
function guardQueue(ctx: Context) {
  let failing = false
  return async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      const result = await work()
      if (failing) ctx.log.info({}, 'the message queue works again')
      failing = false
      return result
    } catch (error) {
      // Nothing is lost: claimed messages are retried when their lease expires.
      if (!failing) ctx.log.error({ err: error }, 'the message queue cannot be read or written')
      failing = true
      return otherwise
    }
  }
}

/** One run at a time; calls during a run cause one more. */
function coalesced(run: () => Promise<void>) {
  let running: Promise<void> | undefined
  let again = false
  async function rounds(): Promise<void> {
    while (again) {
      again = false
      await run()
    }
    running = undefined
  }
  return {
    start(): void {
      again = true
      running ??= rounds()
    },
    settled: async (): Promise<void> => await running,
  }
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const patience = new AbortController()
  const limit = sleep(milliseconds, undefined, { signal: patience.signal }).catch(() => undefined)
  await Promise.race([work, limit])
  patience.abort()
}

const later = (now: Date, milliseconds: number): string =>
  new Date(now.getTime() + Math.round(milliseconds)).toISOString()

/** ±20 %, so that simultaneous failures are not retried simultaneously. */
const jittered = (milliseconds: number): number => milliseconds * (randomInt(800, 1201) / 1000)
