import { useEffect } from 'react'
import { preloadPage } from '../routes.ts'

/** Loads a screen when its link is pointed at, touched or focused. */
export function usePreloading(): void {
  useEffect(() => {
    const onPoint = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.origin === location.origin) void preload(link.pathname)
    }
    const events = ['pointerover', 'focusin'] as const
    for (const event of events) addEventListener(event, onPoint)
    return () => {
      for (const event of events) removeEventListener(event, onPoint)
    }
  }, [])
}

async function preload(path: string): Promise<void> {
  // Opening the screen tries again.
  await preloadPage(path).catch(() => {})
}
