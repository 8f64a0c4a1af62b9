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

export interface HashQueue {
  /** Throws `queueFull`. */
  run<Result>(request: HashRequest, work: () => Promise<Result>): Promise<Result>
  /** Whether a stranger would be rejected now, or once the expected hashes are requested. */
  isFull(): boolean
  /** A client opens a form with a password. Call the result after the response. */
  expectForm(from: Requester): () => void
  /** A client's password has arrived. Call the result at the end of the request. */
  expectHash(from: Requester): () => void
}

/** Observes the queue. Times in milliseconds. */
export interface HashWatch {
  waited(milliseconds: number): void
  ran(milliseconds: number): void
  refused(): void
  queue(waiting: () => number): void
}

const UNWATCHED: HashWatch = { waited() {}, ran() {}, refused() {}, queue() {} }

/** Waiting hashes per client, so that a flood from one leaves slots for others. */
const PER_CLIENT = 4
const PER_NETWORK = 16
/** The share of slots for known clients only. */
const RESERVED = 0.2
const LONGEST_WAIT_MS = 2_000

type QueueSlot = Pick<HashRequest, 'from' | 'known'>

/** Shared, because a stack trace would cost more than the rest of the rejection. */
export const queueFull = new ProtocolError({
  status: 503,
  reason: 'The service is busy. Please try again in a second.',
  retryAfter: 1,
})

/**
 * Rejects work beyond `slots`, because late responses help no user (FLT-21). Counting expected
 * hashes rejects a flood on PostgreSQL within 0.2 s.
 */
export function createHashQueue(
  atOnce: number,
  slots: number,
  watch = UNWATCHED,
  clock = () => performance.now(),
): HashQueue {
  const taken = new Set<QueueSlot>()
  const waiting: (() => void)[] = []
  let running = 0
  watch.queue(() => waiting.length)
  const capacity = measureCapacity(atOnce, clock)
  const release = () => {
    const next = waiting.shift()
    capacity.finished(next !== undefined)
    // Passed on directly, so that no newcomer overtakes.
    if (next) next()
    else running -= 1
  }
  const free = () => atOnce - running
  const available = () => Math.min(slots, capacity.slots())
  const shares = () => sharesOf(available())
  const expected = createExpectations(clock)
  const demand = () => taken.size - free() + expected.list('password').length
  /** A client that opens forms and submits none must not block others. */
  const expect = (from: Requester, after: Expectation['after']) =>
    hasShare([...requesters(taken), ...expected.list()], from, shares().network)
      ? expected.add(from, after)
      : undefined
  return {
    isFull() {
      const hashes = demand()
      // While no hash is due, forms are only looked at.
      return hashes > 0 && hashes + expected.list('form').length >= shares().unreserved
    },
    expectForm(from) {
      const form = expect(from, 'form')
      // Half of the slots taken is probably a flood, whose passwords follow at once.
      return () => expected.end(form, demand() >= shares().unreserved / 2 ? FORM_MS : 0)
    },
    expectHash(from) {
      expected.endFirst(from.client, 'form')
      const password = expect(from, 'password')
      return () => expected.end(password)
    },
    async run(request, work) {
      expected.endFirst(request.from?.client, 'password')
      if (!hasSlot(request, taken, { slots: available(), free: free() })) throw refusal(watch)
      const slot: QueueSlot = { ...request }
      const until = clock() + LONGEST_WAIT_MS
      taken.add(slot)
      try {
        if (request.begin) await request.begin()
        const ready = clock()
        if (running < atOnce) running += 1
        else await waitFor(waiting, until - ready, () => refusal(watch))
        watch.waited(clock() - ready)
      } finally {
        taken.delete(slot)
      }
      return await timed(work, watch).finally(release)
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
  const all = new Set<Expectation>()
  const list = (after?: Expectation['after']) => {
    const now = clock()
    for (const one of all) if (one.until < now) all.delete(one)
    return [...all].filter((one) => after === undefined || one.after === after)
  }
  const end = (one: Expectation | undefined, milliseconds = 0) => {
    if (!one) return
    if (milliseconds === 0) all.delete(one)
    else one.until = clock() + milliseconds
  }
  return {
    list,
    end,
    add(from: Requester, after: Expectation['after']): Expectation {
      const one = { ...from, after, until: Number.POSITIVE_INFINITY }
      all.add(one)
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
    finished(othersWait: boolean): void {
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
      ended += 1
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
  taken: ReadonlySet<QueueSlot>,
  { slots, free }: { readonly slots: number; readonly free: number },
): boolean {
  const ahead = taken.size - free
  if (ahead >= slots) return false
  if (from === undefined) return true
  const { unreserved, network, account } = sharesOf(slots)
  if (known === undefined && ahead >= unreserved) return false
  // A device cookie can be copied to many addresses.
  const copies = [...taken].filter((slot) => known !== undefined && slot.known === known)
  if (copies.length - free >= account) return false
  // Strangers at the same address take no slots from a known device.
  const alike = [...taken].filter((slot) => (slot.known === undefined) === (known === undefined))
  return hasShare(requesters(alike), from, network, free)
}

/** No network and no account takes all slots, however few. */
function sharesOf(slots: number) {
  const unreserved = Math.ceil(slots * (1 - RESERVED))
  return {
    unreserved,
    // Waiting hashes and opened forms count separately.
    network: Math.max(PER_CLIENT, Math.min(PER_NETWORK, unreserved / 3)),
    account: Math.max(1, Math.min(PER_CLIENT, (slots - unreserved) / 2)),
  }
}

function hasShare(
  others: readonly Requester[],
  { client, network }: Requester,
  perNetwork: number,
  free = 0,
): boolean {
  const ofClient = others.filter((other) => other.client === client)
  const ofNetwork = others.filter((other) => other.network === network)
  return ofClient.length - free < PER_CLIENT && ofNetwork.length - free < perNetwork
}

function refusal(watch: HashWatch): ProtocolError {
  watch.refused()
  return queueFull
}

function requesters(slots: Iterable<QueueSlot>): Requester[] {
  return [...slots].flatMap(({ from }) => from ?? [])
}

async function timed<Result>(work: () => Promise<Result>, watch: HashWatch): Promise<Result> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    watch.ran(performance.now() - started)
  }
}

function waitFor(waiting: (() => void)[], longest: number, refusal: () => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(start), 1)
      reject(refusal())
    }, longest)
    timer.unref()
    waiting.push(start)
  })
}
