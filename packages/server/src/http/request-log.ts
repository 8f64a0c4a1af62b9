import type { AnsweredRequest } from '@ostiary/identity-server'
import type { Log } from '@ostiary/identity-server/process'

const SUM_EACH_MS = 1_000

/** Probes each second would be most of the log. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/health/alive', '/health/ready'])

/**
 * Only the first 503 in a second has a line, because the lines would cost an eighth of a rejection;
 * the others are counted.
 */
export function createRequestLog(log: Log): (request: AnsweredRequest) => void {
  let unloggedCount: number | undefined
  const logOthers = () => {
    if (unloggedCount) log.info({ count: unloggedCount }, 'more requests rejected with 503')
    unloggedCount = undefined
  }
  return (request) => {
    if (request.status === 503 && unloggedCount !== undefined) {
      unloggedCount += 1
      return
    }
    if (request.status === 200 && PROBES.has(request.path)) log.debug(request, 'request')
    else log.info(request, 'request')
    if (request.status !== 503) return
    unloggedCount = 0
    setTimeout(logOthers, SUM_EACH_MS).unref()
  }
}

export function createFailureLog(log: Log): (request: AnsweredRequest) => void {
  return (request) => {
    const { method, path, status } = request
    if (status >= 400) log.info({}, `${status} ${method} ${path}`)
    else log.debug(request, 'request')
  }
}
