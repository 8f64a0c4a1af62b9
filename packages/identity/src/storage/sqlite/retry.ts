import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FailureCause, isPassing, primaryCode, sqliteCause, unavailable } from '../driver-errors.ts'

/** After this wait a writer gets 503. */
export const PATIENCE_MS = 3000

// https://sqlite.org/rescode.html
const ERROR = 1
const CONSTRAINT = 19

/** Waits for another process's lock without blocking the event loop, at most `patience` ms from `since`. */
export async function retryWhileLocked<T>(work: () => T, since: number, patience: number): Promise<T> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 100)) {
    try {
      return work()
    } catch (error) {
      if (causeIn(error) === 'lock' && performance.now() - since < patience) {
        await sleep(pause + randomInt(pause + 1))
        continue
      }
      throw translateError(error)
    }
  }
}

/** Whether only the statement is undone. Other errors may have ended the transaction. */
export function endsStatementOnly(error: unknown): boolean {
  const code = primaryCode(error)
  return code === undefined || code === ERROR || code === CONSTRAINT
}

export function translateError(error: unknown): unknown {
  return isPassing(causeIn(error)) ? unavailable(error) : error
}

function causeIn(error: unknown): FailureCause | undefined {
  const code = primaryCode(error)
  return code === undefined ? undefined : sqliteCause(code)
}
