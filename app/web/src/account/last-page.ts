import { recall, remember } from '../ui/browser-memory.ts'

const KEY = 'account-page'

/** Keeps which page of the account is shown: a provider returns to the first one, wherever the change began. */
export function rememberPage(path: string): void {
  remember(KEY, path, 'sessionStorage')
}

export function lastPage(): string | undefined {
  return recall(KEY, 'sessionStorage') ?? undefined
}
