import { ProtocolError } from '../errors.ts'

/** Who waits for a hash, and what happens when the turn comes. */
export interface Turn {
  /** The client that asked; absent for operators, who have no share. */
  readonly client?: string
  /** It has signed in to this account before: a part of the places is for such clients. */
  readonly known?: boolean
  /** Runs before the hash, while the place is kept: no hash waits for it. What it throws gives the place up. */
  begin?(): Promise<void>
}

export type Queue = <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>

/** So many hashes of one client may wait: one client's flood leaves the places to others. */
const PER_CLIENT = 4
/** Part of the places that only known clients take. */
const RESERVED = 0.2
/** A later answer would come to a user who has given up. */
const LONGEST_WAIT_MS = 2_000

/** Who has a place and whose turn has not come. */
interface Place {
  readonly client: string | undefined
}

/** Nothing was hashed: too many wait already, or the turn did not come in time. */
export class QueueFull extends ProtocolError {
  constructor() {
    super({
      status: 503,
      reason: 'Too many people are signing in at this moment. Please try again in a second.',
      retryAfter: 1,
    })
  }
}

/** Runs so many at once, lets so many wait, and refuses the rest: late answers help no user (FLT-21). */
export function createHashQueue(atOnce: number, places: number): Queue {
  const taken = new Set<Place>()
  /** Those of them who are ready, in their order. */
  const waiting: (() => void)[] = []
  let running = 0
  const release = () => {
    const next = waiting.shift()
    // A turn is handed on, never given back while others wait: nothing overtakes.
    if (next) next()
    else running -= 1
  }
  return async (turn, work) => {
    const place: Place = { client: turn.client }
    if (!hasPlace([...taken], turn, places, atOnce - running)) throw new QueueFull()
    const until = performance.now() + LONGEST_WAIT_MS
    taken.add(place)
    try {
      if (turn.begin) await turn.begin()
      if (running < atOnce) running += 1
      else await waitFor(waiting, until)
    } finally {
      taken.delete(place)
    }
    try {
      return await work()
    } finally {
      release()
    }
  }
}

/** @param free how many of those who have a place need not wait */
function hasPlace(taken: readonly Place[], { client, known }: Turn, places: number, free: number): boolean {
  const ahead = taken.length - free
  if (ahead >= places) return false
  if (client === undefined) return true
  if (!known && ahead >= Math.ceil(places * (1 - RESERVED))) return false
  return taken.filter((other) => other.client === client).length - free < PER_CLIENT
}

/** Rejects after the longest wait. */
function waitFor(waiting: (() => void)[], until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(start), 1)
      reject(new QueueFull())
    }, until - performance.now())
    timer.unref()
    waiting.push(start)
  })
}
