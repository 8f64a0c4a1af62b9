import { useEffect } from 'react'
import { useAuth } from '../auth/use-auth.ts'
import { RequestFailed } from '../request.ts'

/** Fetches the session again after a 401: if it has ended, the page redirects to the sign-in and back. */
export function useSessionEnded(error: unknown): void {
  const { refetch } = useAuth()
  const isEnded = error instanceof RequestFailed && error.status === 401
  useEffect(() => {
    if (isEnded) void refetch()
  }, [isEnded, refetch])
}
