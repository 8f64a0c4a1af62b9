import { useEffect } from 'react'
import { preloadAll, preloadPage } from '../routes.ts'

/** Loads a screen when its link is pointed at or focused, and all screens when the browser is idle. */
export function usePreloading(): void {
  useEffect(() => {
    const onPoint = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.origin === location.origin) void preload(link.pathname)
    }
    const events = ['pointerover', 'focusin'] as const
    for (const event of events) addEventListener(event, onPoint)
    const stop = whenIdle(() => void loadAll())
    return () => {
      for (const event of events) removeEventListener(event, onPoint)
      stop()
    }
  }, [])
}

/** Milliseconds after which most pages are loaded. */
const SETTLED = 3000

function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback yet.
  const start = () => (window.requestIdleCallback ?? setTimeout)(work)
  const timer = setTimeout(start, SETTLED)
  return () => clearTimeout(timer)
}

async function loadAll(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  // Opening a screen tries again.
  await preloadAll().catch(() => {})
}

async function preload(path: string): Promise<void> {
  // Opening the screen tries again.
  await preloadPage(path).catch(() => {})
}
