import type { Session } from '@ory/client-fetch'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** A 401 to any call says that the session has ended elsewhere: fetched again, the page leads to where one signs in. */
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

/** Our own failures carry the status, those of the identity client the response. */
function statusIn(error: unknown): number | undefined {
  const { status, response } = error as { status?: number; response?: Response }
  return status ?? response?.status
}
