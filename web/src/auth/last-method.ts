import type { Session } from '@ory/client-fetch'

const KEY = 'last-method'

/** Keeps how the user signed in, so that the form can say so the next time. */
export function rememberMethod({ authentication_methods: [first] = [] }: Session): void {
  try {
    localStorage.setItem(KEY, first?.provider ?? first?.method ?? '')
  } catch {
    // A browser may forbid it; then nothing is remembered.
  }
}

/** A provider or a method of the protocol. */
export function lastMethod(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
