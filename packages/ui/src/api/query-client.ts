import { SESSION_KEY } from '@ostiary/react/internal'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { RequestFailed } from './request.ts'

const RETRIES = 3
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 30_000
const UNUSED_KEPT_FOR = 5 * 60_000

/** The data cache with the product's defaults, in milliseconds. */
export function createQueryClient(): QueryClient {
  const onError = async (error: Error) => {
    // The session has ended elsewhere. Without it, the page redirects to the login and back.
    if (statusIn(error) === 401 && client.getQueryData(SESSION_KEY))
      await client.refetchQueries({ queryKey: SESSION_KEY })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < RETRIES && !isFinal(error),
        retryDelay: (failures) => Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE),
        gcTime: UNUSED_KEPT_FOR,
        refetchOnWindowFocus: false,
        // Offline, a call fails at once, instead of waiting without a message.
        networkMode: 'always',
      },
      mutations: { retry: 0, networkMode: 'always' },
    },
  })
  return client
}

/** `RequestFailed` has the status, errors of the identity client have the response. */
function statusIn(error: Error & { status?: number; response?: Response }): number | undefined {
  return error.status ?? error.response?.status
}

/** A retry does not change what the server has refused. */
function isFinal(error: Error): boolean {
  return error instanceof RequestFailed && error.status !== undefined && error.status < 500
}
