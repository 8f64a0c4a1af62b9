import { ProtocolError } from '../errors.ts'
import { createExpectedHashes } from './expected-hashes.ts'
import { createHashPace } from './hash-pace.ts'

/** A request to hash. */
export interface Turn {
  /** The client of the request; absent for operators, who have no quota. */
  readonly client?: string
  /** The client has signed in to this account before: some places are reserved for such clients. */
  readonly known?: boolean
  /** Runs before the hash while the place is held: no hash waits for it. If it throws, the place is released. */
  begin?(): Promise<void>
}

export interface HashQueue {
  /** Waits for a slot, then hashes. Throws `queueFull`. */
  run<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result>
  /** Whether a client without a reserved place would be rejected now, or once the expected hashes are requested. */
  isFull(): boolean
  /** A client opens a form whose password will need a place. Call the result after the response. */
  expectForm(client: string): () => void
  /** A password of a client has arrived. Call the result at the end of the request. */
  expectHash(client: string): () => void
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
/** The share of places that only known clients can take. */
const RESERVED = 0.2
/** Users do not wait longer for a response. */
const LONGEST_WAIT_MS = 2_000

/** A place whose turn has not come. */
interface Place {
  readonly client: string | undefined
}

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
  const unreserved = () => Math.ceil(given() * (1 - RESERVED))
  const isTaken = () => ahead() >= unreserved()
  const forms = createExpectedHashes(clock)
  const arrived = createExpectedHashes(clock)
  const demand = () => ahead() + arrived.count()
  /** Otherwise one client that opens forms and submits none could block them for all. */
  const mayExpect = (client: string) =>
    countOf(taken, client) + forms.count(client) + arrived.count(client) < PER_CLIENT
  const hasPlace = ({ client, known }: Turn) => {
    if (ahead() >= given()) return false
    if (client === undefined) return true
    if (!known && isTaken()) return false
    return countOf(taken, client) - free() < PER_CLIENT
  }
  return {
    isFull() {
      const hashes = demand()
      // While no hash is due, forms are opened by users who only look.
      return hashes > 0 && hashes + forms.count() >= unreserved()
    },
    expectForm(client) {
      if (!mayExpect(client)) return () => {}
      // Half of the places are taken: probably a flood, whose passwords follow at once.
      return forms.addForm(client, () => demand() >= unreserved() / 2)
    },
    expectHash(client) {
      forms.use(client)
      return mayExpect(client) ? arrived.add(client) : () => {}
    },
    async run(turn, work) {
      arrived.use(turn.client)
      if (!hasPlace(turn)) throw refusal(watch)
      const place: Place = { client: turn.client }
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

function refusal(watch: HashWatch): ProtocolError {
  watch.refused()
  return queueFull
}

function countOf(places: Iterable<Place>, client: string): number {
  return [...places].filter((place) => place.client === client).length
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
