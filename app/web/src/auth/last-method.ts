import type { Session } from '@ory/client-fetch'
import { recall, remember } from '../ui/browser-memory.ts'

const KEY = 'last-method'

/** Keeps how the user signed in, so that the form can say so the next time. */
export function rememberMethod({ authentication_methods: [first] = [] }: Session): void {
  remember(KEY, first?.provider ?? first?.method ?? '')
}

/** A provider or a method of the protocol. */
export function lastMethod(): string | null | undefined {
  return recall(KEY)
}
