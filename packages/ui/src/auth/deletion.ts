import { recall, remember } from '@ostiary/react/internal'
import { skipToken, useQuery } from '@tanstack/react-query'
import * as paths from '../paths.ts'
import { leaveFor } from '../ui/browser.ts'

const DELETES_ON = 'deletes-on'

/** Opens the login page, which announces the date of the deletion once. A link cannot fake it. */
export function leaveUntilDeletion(due: string): void {
  remember(DELETES_ON, due, 'sessionStorage')
  // A full page load: nothing of the account stays in memory.
  leaveFor(paths.login)
}

export const announcedDeletion = () => recall(DELETES_ON, 'sessionStorage')
export const forgetAnnouncedDeletion = () => remember(DELETES_ON, null, 'sessionStorage')

export const deletionKey = ['account', 'deletion']

/** The date of the scheduled deletion, once the page has fetched it. */
export function useCachedDeletionDate(): string | undefined {
  const { data } = useQuery<{ due: string | null }>({ queryKey: deletionKey, queryFn: skipToken })
  return data?.due ?? undefined
}
