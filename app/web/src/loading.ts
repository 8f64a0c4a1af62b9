import { useSyncExternalStore } from 'react'

let waiting = 0
const listeners = new Set<() => void>()

/** Counts a screen that a visitor waits for. */
export async function whileLoading<T>(work: Promise<T>): Promise<T> {
  // It is called while React renders, when no state may change.
  queueMicrotask(() => change(1))
  return await work.finally(() => change(-1))
}

/** Whether a visitor waits for a screen's file. */
export function useIsLoading(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => waiting > 0,
    () => false,
  )
}

function change(by: number): void {
  waiting += by
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
