import { ProtocolError } from '../../errors/errors.ts'
import type { Requester } from './expected-hashes.ts'
import { createExpectedHashes } from './expected-hashes.ts'
import { createHashPace } from './hash-pace.ts'

/** A request to hash. */
export interface Turn {
  /** Absent for operators, who have no quota. */
  readonly from?: Requester
  /** The account that the client has signed in to before: some places are reserved for such clients. */
  readonly known?: string | undefined
  /** Runs before the hash while the place is held: no hash waits for it. If it throws, the place is released. */
  begin?(): Promise<void>
}

export interface HashQueue {
  /** Waits for a slot, then hashes. Throws `queueFull`. */
  run<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result>
  /** Whether a client without a reserved place would be rejected now, or once the expected hashes are requested. */
  isFull(): boolean
  /** A client opens a form whose password will need a place. Call the result after the response. */
  expectForm(from: Requester): () => void
  /** A password of a client has arrived. Call the result at the end of the request. */
  expectHash(from: Requester): () => void
}

/** Observes how the queue is used. */
export interface HashWatch {
  /** A hash got its turn after this many milliseconds. */
  waited(milliseconds: number): void
  /** A hash was computed, without its wait. */
  ran(milliseconds: number): void
  refused(): void
  /** How many wait at this moment. */
  queue(waiting: () => number): void
}

const UNWATCHED: HashWatch = { waited() {}, ran() {}, refused() {}, queue() {} }

/** Waiting hashes per client, so that a flood from one leaves places for others. */
const PER_CLIENT = 4
/** The same per network: one of them has many addresses. */
const PER_NETWORK = 16
/** The share of places that only known clients can take. */
const RESERVED = 0.2
/** Users do not wait longer for a response. */
const LONGEST_WAIT_MS = 2_000

/** A place whose turn has not come. */
type Place = Pick<Turn, 'from' | 'known'>

/**
 * The queue is full, or the turn did not come in time; nothing was hashed. One for all: a stack trace for each would
 * cost more than the rest of the rejection.
 */
export const queueFull = new ProtocolError({
  status: 503,
  reason: 'The service is busy. Please try again in a second.',
  retryAfter: 1,
})

/**
 * Runs `atOnce` hashes concurrently, queues up to `places` and rejects the rest: late responses help no user (FLT-21).
 * Where the processor does other work as well, fewer hashes are computed in a second, so there are fewer places.
 */
export function createHashQueue(
  atOnce: number,
  places: number,
  watch = UNWATCHED,
  clock = () => performance.now(),
): HashQueue {
  const taken = new Set<Place>()
  /** The callbacks of those that are ready, in order. */
  const waiting: (() => void)[] = []
  let running = 0
  watch.queue(() => waiting.length)
  const pace = createHashPace(atOnce, clock)
  const release = () => {
    const next = waiting.shift()
    pace.finished(next !== undefined)
    // A free slot goes to the next in the queue, so no newcomer overtakes.
    if (next) next()
    else running -= 1
  }
  // Hashes that need not wait take no place.
  const free = () => atOnce - running
  const ahead = () => taken.size - free()
  const given = () => Math.min(places, pace.places())
  const shares = () => sharesOf(given())
  const forms = createExpectedHashes(clock)
  const arrived = createExpectedHashes(clock)
  const demand = () => ahead() + arrived.current().length
  /** Otherwise one client that opens forms and submits none could block them for all. */
  const mayExpect = (from: Requester) =>
    hasShare([...requesters(taken), ...forms.current(), ...arrived.current()], from, shares().network)
  return {
    isFull() {
      const hashes = demand()
      // While no hash is due, forms are opened by users who only look.
      return hashes > 0 && hashes + forms.current().length >= shares().unreserved
    },
    expectForm(from) {
      if (!mayExpect(from)) return () => {}
      // Half of the places are taken: probably a flood, whose passwords follow at once.
      return forms.addForm(from, () => demand() >= shares().unreserved / 2)
    },
    expectHash(from) {
      forms.use(from.client)
      return mayExpect(from) ? arrived.add(from) : () => {}
    },
    async run(turn, work) {
      arrived.use(turn.from?.client)
      if (!hasPlace(turn, taken, { places: given(), free: free() })) throw refusal(watch)
      const place: Place = { ...turn }
      const until = clock() + LONGEST_WAIT_MS
      taken.add(place)
      try {
        if (turn.begin) await turn.begin()
        const ready = clock()
        if (running < atOnce) running += 1
        else await waitFor(waiting, until - ready, () => refusal(watch))
        watch.waited(clock() - ready)
      } finally {
        taken.delete(place)
      }
      return await timed(work, watch).finally(release)
    },
  }
}

/** Whether this turn may take a place, besides those that are taken. */
function hasPlace(
  { from, known }: Turn,
  taken: ReadonlySet<Place>,
  { places, free }: { readonly places: number; readonly free: number },
): boolean {
  const ahead = taken.size - free
  if (ahead >= places) return false
  if (from === undefined) return true
  const { unreserved, network, account } = sharesOf(places)
  if (known === undefined && ahead >= unreserved) return false
  // A device cookie can be copied to many addresses.
  const copies = [...taken].filter((place) => known !== undefined && place.known === known)
  if (copies.length - free >= account) return false
  // Strangers behind the same address take no places from a known device.
  const alike = [...taken].filter((place) => (place.known === undefined) === (known === undefined))
  return hasShare(requesters(alike), from, network, free)
}

/** The division of a queue: no network and no account takes all of it, however short it is. */
function sharesOf(places: number) {
  const unreserved = Math.ceil(places * (1 - RESERVED))
  return {
    unreserved,
    // A third: its waiting hashes and the forms that it opens count apart.
    network: Math.max(PER_CLIENT, Math.min(PER_NETWORK, unreserved / 3)),
    account: Math.max(1, Math.min(PER_CLIENT, (places - unreserved) / 2)),
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

function requesters(places: Iterable<Place>): Requester[] {
  return [...places].flatMap(({ from }) => from ?? [])
}

async function timed<Result>(work: () => Promise<Result>, watch: HashWatch): Promise<Result> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    watch.ran(performance.now() - started)
  }
}

/** Rejects after `longest` milliseconds. */
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
