import { ProductError } from '../http/errors.ts'

/** Runs at most `limit` tasks at once. At most `maxWaiting` wait. */
export function createQueue(limit: number, maxWaiting: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  async function turn(): Promise<void> {
    if (running < limit) {
      running++
      return
    }
    if (waiting.length >= maxWaiting)
      throw new ProductError('code_host_unavailable', 503, 'Too many requests wait for GitHub', {
        retryAfter: 5,
      })
    // A finished task passes its slot on, so `running` stays.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  return async (task) => {
    await turn()
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
