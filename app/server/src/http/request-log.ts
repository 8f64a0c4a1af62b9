import type { AnsweredRequest } from '@my-app/identity-server'
import type { Log } from '@my-app/identity-server/process'

const SUM_EACH_MS = 1_000

/**
 * Writes one line for each request. Of those that are answered with 503, the first in a second has its line and the
 * others are a number: under load there are thousands, and their lines would cost an eighth of a rejection.
 */
export function createRequestLog(log: Log): (request: AnsweredRequest) => void {
  let others: number | undefined
  const tell = () => {
    if (others) log.info({ count: others }, 'more requests were answered with 503')
    others = undefined
  }
  return (request) => {
    if (request.status === 503 && others !== undefined) {
      others += 1
      return
    }
    log.info(request, 'request')
    if (request.status !== 503) return
    others = 0
    setTimeout(tell, SUM_EACH_MS).unref()
  }
}

/** For the terminal of a developer: a short line for each request that failed. Pages load dozens of files that did not. */
export function createFailureLog(log: Log): (request: AnsweredRequest) => void {
  return (request) => {
    const { method, path, status } = request
    if (status >= 400) log.info({}, `${status} ${method} ${path}`)
    else log.debug(request, 'request')
  }
}
