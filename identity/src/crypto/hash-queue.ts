import { ProtocolError } from '../errors.ts'

/** Who waits for a hash, and what happens when the turn comes. */
export interface Turn {
  /** The client that asked; absent for operators, who have no share. */
  readonly client?: string
  /** It has signed in to this account before: a part of the places is for such clients. */
  readonly known?: boolean
  /** Runs when the turn comes and before the hash. What it throws ends the turn. */
  begin?(): Promise<void>
}

export type Queue = <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>

/** So many hashes of one client may wait: one client's flood leaves the places to others. */
const PER_CLIENT = 4
/** Part of the places that only known clients take. */
const RESERVED = 0.2
/** A later answer would come to a user who has given up. */
const LONGEST_WAIT_MS = 2_000

interface Waiting {
  readonly client: string | undefined
  start(): void
}

/** Runs so many at once, lets so many wait, and refuses the rest: late answers help no user (FLT-21). */
export function createHashQueue(atOnce: number, places: number): Queue {
  const waiting: Waiting[] = []
  let running = 0
  const release = () => {
    const next = waiting.shift()
    // A place is handed on, never given back while others wait: nothing overtakes.
    if (next) next.start()
    else running -= 1
  }
  return async (turn, work) => {
    if (running < atOnce) running += 1
    else {
      if (!hasPlace(waiting, places, turn)) throw busy()
      await turnComes(waiting, turn)
    }
    try {
      if (turn.begin) await turn.begin()
      return await work()
    } finally {
      release()
    }
  }
}

function hasPlace(waiting: readonly Waiting[], places: number, { client, known }: Turn): boolean {
  if (waiting.length >= places) return false
  if (client === undefined) return true
  if (!known && waiting.length >= Math.ceil(places * (1 - RESERVED))) return false
  return waiting.filter((other) => other.client === client).length < PER_CLIENT
}

/** Throws 503 after the longest wait. */
function turnComes(waiting: Waiting[], { client }: Turn): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry: Waiting = {
      client,
      start() {
        clearTimeout(timer)
        resolve()
      },
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1)
      reject(busy())
    }, LONGEST_WAIT_MS)
    timer.unref()
    waiting.push(entry)
  })
}

function busy(): ProtocolError {
  return new ProtocolError({
    status: 503,
    reason: 'Too many people are signing in at this moment. Please try again in a second.',
    retryAfter: 1,
  })
}
