import { useSyncExternalStore } from 'react'

interface Access {
  /** Kept in memory only, so that no script of a later page can read it. */
  readonly token?: string
  readonly isTokenRequired: boolean
}

let access: Access = { isTokenRequired: false }
const listeners = new Set<() => void>()

export function useAccess(): Access {
  return useSyncExternalStore(subscribe, readAccess)
}

export function readAccess(): Access {
  return access
}

export function keepToken(token: string): void {
  change({ token, isTokenRequired: false })
}

export function askToken(): void {
  if (!access.isTokenRequired) change({ isTokenRequired: true })
}

function change(next: Access): void {
  access = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
