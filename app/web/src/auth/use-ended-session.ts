import type { Session } from '@ory/client-fetch'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** A 401 to a query means that the session has ended: it is fetched again, and the page redirects to the sign-in. */
export function useEndedSession(session: Session | null, fetchAgain: () => Promise<unknown>): void {
  const cache = useQueryClient()
  useEffect(() => {
    if (!session) return
    return cache.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return
      if (statusIn(event.action.error) === 401) void fetchAgain()
    })
  }, [cache, session, fetchAgain])
}

/** `RequestFailed` has the status, errors of the identity client have the response. */
function statusIn(error: unknown): number | undefined {
  const { status, response } = error as { status?: number; response?: Response }
  return status ?? response?.status
}
