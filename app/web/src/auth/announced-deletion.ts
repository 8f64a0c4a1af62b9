import * as paths from '../paths.ts'
import { recall, remember } from '../ui/browser-memory.ts'

const KEY = 'deletes-on'

/** Leads to the sign-in page, which says once when the account will be deleted. A link cannot claim it. */
export function leaveUntilDeletion(due: string): void {
  remember(KEY, due, 'sessionStorage')
  // A full page load: nothing of the account stays in memory.
  location.assign(paths.login)
}

export const announcedDeletion = () => recall(KEY, 'sessionStorage')
export const forgetAnnouncedDeletion = () => remember(KEY, null, 'sessionStorage')
