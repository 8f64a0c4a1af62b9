import { useAuth } from '../../auth/use-auth.ts'
import { recall, remember } from '../../ui/browser.ts'

/** By account and field. Memory is enough: going to the sign-in and back loads no new page. */
const drafts = new Map<string, string>()

/** Keeps what was typed into a field while the user signs in again after the session ended. Not for secrets. */
export function useDraft(field: string | undefined) {
  const { session } = useAuth()
  const id = session?.identity?.id
  const key = field === undefined || id === undefined ? undefined : `${id} ${field}`
  return {
    draft: key === undefined ? undefined : drafts.get(key),
    keep(text: string): void {
      if (key !== undefined) drafts.set(key, text)
    },
    drop(): void {
      if (key !== undefined) drafts.delete(key)
    },
  }
}

const KEY = 'account-page'

/** Keeps which page of the account is shown: a provider returns to the first one, wherever the change began. */
export function rememberPage(path: string): void {
  remember(KEY, path, 'sessionStorage')
}

export function lastPage(): string | undefined {
  return recall(KEY, 'sessionStorage') ?? undefined
}
