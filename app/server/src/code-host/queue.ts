import { ProductError } from '../http/errors.ts'

/** Runs at most `limit` tasks at a time; the rest wait in line, up to `maxWaiting`. */
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
    // A finished task hands its slot to the next, so `running` stays as it is.
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
