import { useEffect, useEffectEvent } from 'react'

/** The back button restores a page as it was left: with a busy button, or one that was pressed. */
export function useRestored(onRestored: () => void): void {
  const restore = useEffectEvent(onRestored)
  useEffect(() => {
    // A page that has only just loaded is shown too, and its form may have been sent before.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) restore()
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])
}
