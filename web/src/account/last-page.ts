const KEY = 'account-page'

/** Keeps which page of the account is shown: a provider leads back to the first one, whatever was begun where. */
export function rememberPage(path: string): void {
  try {
    sessionStorage.setItem(KEY, path)
  } catch {
    // A browser may forbid it; then the user lands on the first page.
  }
}

export function lastPage(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}
