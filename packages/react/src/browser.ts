import { useCallback, useEffect, useEffectEvent, useRef } from 'react'

type Memory = 'localStorage' | 'sessionStorage'

/** The stored text. Null if nothing is stored, undefined if the browser forbids storage. */
export function recall(key: string, memory: Memory = 'localStorage'): string | null | undefined {
  try {
    return window[memory].getItem(key)
  } catch {
    return undefined
  }
}

/** Stores a text, or deletes it if null. Does nothing if the browser forbids storage. */
export function remember(key: string, text: string | null, memory: Memory = 'localStorage'): void {
  try {
    if (text === null) window[memory].removeItem(key)
    else window[memory].setItem(key, text)
  } catch {
    // `recall` returns undefined then.
  }
}

/** The back button restores a page as it was left: with a busy button, or the page of an ended session. */
export function useRestored(onRestored: () => void): void {
  const restore = useEffectEvent(onRestored)
  useEffect(() => {
    // A fresh load fires it too, possibly after a submission.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) restore()
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])
}

/** False once the user has left the page. A late reply must not navigate then. Stable. */
export function useIsShown(): () => boolean {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
