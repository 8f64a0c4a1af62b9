import { useAuth } from '@ostiary/react'
import { recall, remember } from '@ostiary/react/internal'

/** By account and field. In memory, because the login and back load no new page. */
const drafts = new Map<string, string>()

/** Keeps typed text while the user logs in again. Not for secrets. */
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

/** A provider always returns to the first account page. This remembers the right one. */
export function rememberPage(path: string): void {
  remember(KEY, path, 'sessionStorage')
}

export function lastPage(): string | undefined {
  return recall(KEY, 'sessionStorage') ?? undefined
}
