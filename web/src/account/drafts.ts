import { useAuth } from '../auth/use-auth.ts'

/** By account and field. In memory only: the way to the sign-in and back loads no page anew. */
const drafts = new Map<string, string>()

/** What was typed into a field whose session ended, kept while its user signs in again. Not for secrets. */
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
