import { useSyncExternalStore } from 'react'

type Memory = 'localStorage' | 'sessionStorage'

/** What this browser remembers under a key: null if nothing, undefined where the user forbids it to remember. */
export function recall(key: string, memory: Memory = 'localStorage'): string | null | undefined {
  try {
    return window[memory].getItem(key)
  } catch {
    return undefined
  }
}

/** Keeps a text, or forgets it if null; a browser that forbids it remembers nothing. */
export function remember(key: string, text: string | null, memory: Memory = 'localStorage'): void {
  try {
    if (text === null) window[memory].removeItem(key)
    else window[memory].setItem(key, text)
  } catch {
    // Reading answers `undefined` there.
  }
}

/** False in prerendered pages and in the first client render, true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

function subscribeToNothing(): () => void {
  return () => {}
}

/** Downloads a text as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
