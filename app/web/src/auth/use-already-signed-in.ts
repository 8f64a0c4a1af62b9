import { useEffect } from 'react'
import type { Opened } from '../flow/open-flow.ts'
import { useAuth } from './use-auth.ts'

/** The service has a session that this page does not know yet: fetches it, which leads to the dashboard. */
export function useAlreadySignedIn(opened: Opened<unknown>['kind'] | undefined): void {
  const { refetch } = useAuth()
  useEffect(() => {
    if (opened === 'already-signed-in') void refetch()
  }, [opened, refetch])
}
