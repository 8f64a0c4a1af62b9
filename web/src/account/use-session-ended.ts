import { useEffect } from 'react'
import { useAuth } from '../auth/use-auth.ts'
import { RequestFailed } from '../request.ts'

/** Where an answer says that the session has ended, the page learns of it and leads to the sign-in and back. */
export function useSessionEnded(error: unknown): void {
  const { refetch } = useAuth()
  const isEnded = error instanceof RequestFailed && error.status === 401
  useEffect(() => {
    if (isEnded) void refetch()
  }, [isEnded, refetch])
}
