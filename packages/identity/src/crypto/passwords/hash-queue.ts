import { ProtocolError } from '../../errors/errors.ts'

export interface Requester {
  readonly client: string
  readonly network: string
}

export interface HashRequest {
  /** Absent for operators, who have no quota. */
  readonly from?: Requester | undefined
  /** The account that the client has signed in to. Some slots are reserved for such clients. */
  readonly known?: string | undefined
  /** Runs before the hash, in its slot. If it throws, the slot is released. */
  begin?(): Promise<void>
}

/** Observes the queue. Times in milliseconds. */
export interface HashWatch {
  waited(milliseconds: number): void
  ran(milliseconds: number): void
  refused(): void
  queue(waiting: () => number): void
}

const UNWATCHED: HashWatch = { waited() {}, ran() {}, refused() {}, queue() {} }

/** Slots per client, so that a flood from one leaves slots for others. */
const PER_CLIENT = 4
const PER_NETWORK = 16
/** The share of slots for known clients only. */
const RESERVED = 0.2
const LONGEST_WAIT_MS = 2_000

type QueuedHash = Pick<HashRequest, 'from' | 'known'> & { readonly slots: number }

/** Shared, because a stack trace would cost more than the rest of the rejection. */
export const queueFull = new ProtocolError({
  status: 503,
  reason: 'The service is busy. Please try again in a second.',
  retryAfter: 1,
})

/**
 * Rejects work beyond `slots`, because late responses help no user (FLT-21). A slot is the time of a usual
 * hash: a slower imported one takes several. Counting expected hashes rejects a flood on PostgreSQL within 0.2 s.
 */
export function createHashQueue(
  atOnce: number,
  slots: number,
  watch = UNWATCHED,
  clock = () => performance.now(),
) {
  const takenHashes = new Set<QueuedHash>()
  const waitingStarts: (() => void)[] = []
  let runningSlots = 0
  watch.queue(() => waitingStarts.length)
  const capacity = measureCapacity(atOnce, clock)
  const release = (slots: number) => {
    const next = waitingStarts.shift()
    capacity.finished(slots, next !== undefined)
    // Passed on directly, so that no newcomer overtakes.
    if (next) next()
    else runningSlots -= 1
  }
  const freeSlots = () => atOnce - runningSlots
  const available = () => Math.min(slots, capacity.slots())
  const shares = () => sharesOf(available())
  const expected = createExpectations(clock)
  const demand = () => waitingSlots([...takenHashes, ...expected.list('password').map(asQueued)], freeSlots())
  /** A client that opens forms and submits none must not block others. */
  const expect = (from: Requester, after: Expectation['after']) =>
    hasShare([...takenHashes, ...expected.list().map(asQueued)], from, shares())
      ? expected.add(from, after)
      : undefined
  return {
    /** Whether a stranger would be rejected now, or once the expected hashes are requested. */
    isFull() {
      const hashes = demand()
      // While no hash is due, forms are only looked at.
      return hashes > 0 && hashes + expected.list('form').length >= shares().unreserved
    },
    /** A client opens a form with a password. Call the result after the response. */
    expectForm(from: Requester) {
      const form = expect(from, 'form')
      // Half of the slots taken is probably a flood, whose passwords follow at once.
      return () => expected.end(form, demand() >= shares().unreserved / 2 ? FORM_MS : 0)
    },
    /** A client's password has arrived. Call the result at the end of the request. */
    expectHash(from: Requester) {
      expected.endFirst(from.client, 'form')
      const password = expect(from, 'password')
      return () => expected.end(password)
    },
    /** Throws `queueFull`. `slots` is the expected duration in usual hashes. */
    async run<Result>(request: HashRequest, work: () => Promise<Result>, slots = 1): Promise<Result> {
      expected.endFirst(request.from?.client, 'password')
      if (!hasSlot(request, takenHashes, { slots: available(), freeSlots: freeSlots() }))
        throw countRefusal(watch)
      const slot: QueuedHash = { ...request, slots }
      const deadline = clock() + LONGEST_WAIT_MS
      takenHashes.add(slot)
      try {
        if (request.begin) await request.begin()
        const ready = clock()
        if (runningSlots < atOnce) runningSlots += 1
        else await waitFor(waitingStarts, deadline - ready, () => countRefusal(watch))
        watch.waited(clock() - ready)
      } finally {
        takenHashes.delete(slot)
      }
      return await timed(work, watch).finally(() => release(slots))
    },
  }
}

/** Programs submit a form at once; users get no reserved slot. */
const FORM_MS = 1_000

/** A hash that a client will probably request: it opens a form, or its password has arrived. */
interface Expectation extends Requester {
  readonly after: 'form' | 'password'
  until: number
}

function createExpectations(clock: () => number) {
  const expectations = new Set<Expectation>()
  const list = (after?: Expectation['after']) => {
    const now = clock()
    for (const one of expectations) if (one.until < now) expectations.delete(one)
    return [...expectations].filter((one) => after === undefined || one.after === after)
  }
  const end = (one: Expectation | undefined, milliseconds = 0) => {
    if (!one) return
    if (milliseconds === 0) expectations.delete(one)
    else one.until = clock() + milliseconds
  }
  return {
    list,
    end,
    add(from: Requester, after: Expectation['after']): Expectation {
      const one = { ...from, after, until: Number.POSITIVE_INFINITY }
      expectations.add(one)
      return one
    },
    endFirst(client: string | undefined, after: Expectation['after']): void {
      end(list(after).find((one) => one.client === client))
    },
  }
}

/** The queue holds as many hashes as are computed in this time. */
const WORK_MS = 1_000

/** Hashes computed in a second: fewer where the processor does other work. */
function measureCapacity(atOnce: number, clock: () => number) {
  let since: number | undefined
  let ended = 0
  let slots = Number.POSITIVE_INFINITY
  return {
    slots: () => slots,
    finished(hash: number, othersWait: boolean): void {
      if (!othersWait) {
        since = undefined
        slots = Number.POSITIVE_INFINITY
        return
      }
      const now = clock()
      if (since === undefined) {
        since = now
        ended = 0
      }
      ended += hash
      if (now - since < WORK_MS / 4) return
      // The minimum keeps the processor busy between two hashes.
      slots = Math.max(4 * atOnce, (ended * WORK_MS) / (now - since))
      since = now
      ended = 0
    },
  }
}

function hasSlot(
  { from, known }: HashRequest,
  takenHashes: ReadonlySet<QueuedHash>,
  { slots, freeSlots }: { readonly slots: number; readonly freeSlots: number },
): boolean {
  const slotsAhead = waitingSlots(takenHashes, freeSlots)
  if (slotsAhead >= slots) return false
  if (from === undefined) return true
  const shares = sharesOf(slots)
  if (known === undefined && slotsAhead >= shares.unreserved) return false
  // A device cookie can be copied to many addresses.
  const copies = [...takenHashes].filter((slot) => known !== undefined && slot.known === known)
  if (waitingSlots(copies, freeSlots) >= shares.account) return false
  // Strangers at the same address take no slots from a known device.
  const alike = [...takenHashes].filter((slot) => (slot.known === undefined) === (known === undefined))
  return hasShare(alike, from, shares, freeSlots)
}

/** No client, network or account takes all slots, however few. */
function sharesOf(slots: number) {
  const unreserved = Math.ceil(slots * (1 - RESERVED))
  // Waiting hashes and opened forms count separately.
  const network = Math.max(1, Math.min(PER_NETWORK, unreserved / 3))
  return {
    unreserved,
    network,
    client: Math.min(PER_CLIENT, network),
    account: Math.max(1, Math.min(PER_CLIENT, (slots - unreserved) / 2)),
  }
}

function hasShare(
  otherHashes: readonly QueuedHash[],
  { client, network }: Requester,
  shares: { readonly client: number; readonly network: number },
  freeSlots = 0,
): boolean {
  const ofClient = otherHashes.filter(({ from }) => from?.client === client)
  const ofNetwork = otherHashes.filter(({ from }) => from?.network === network)
  // A client's hashes count alike, because its refusals would reveal which account has a slower one.
  return ofClient.length - freeSlots < shares.client && waitingSlots(ofNetwork, freeSlots) < shares.network
}

/** The slots of the hashes that do not start at once. */
function waitingSlots(queued: Iterable<QueuedHash>, free: number): number {
  return [...queued].slice(free).reduce((sum, { slots }) => sum + slots, 0)
}

function asQueued(from: Requester): QueuedHash {
  return { from, slots: 1 }
}

function countRefusal(watch: HashWatch): ProtocolError {
  watch.refused()
  return queueFull
}

async function timed<Result>(work: () => Promise<Result>, watch: HashWatch): Promise<Result> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    watch.ran(performance.now() - started)
  }
}

function waitFor(waiting: (() => void)[], longest: number, errorOf: () => Error): Promise<void> {
  const { promise, resolve: start, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(start), 1)
    reject(errorOf())
  }, longest)
  timer.unref()
  waiting.push(start)
  return promise.finally(() => clearTimeout(timer))
}
