import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Begins the query keys of what a change may concern. */
export const DEMO = 'demo'

/** Milliseconds. */
const RETRY = 1000

/**
 * Reads again what the page shows of the demo when the server announces a change. Hidden pages do not listen, because
 * browsers open at most six connections to a server.
 */
export function useChanges(): void {
  const cache = useQueryClient()
  useEffect(() => {
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => void cache.invalidateQueries({ queryKey: [DEMO] })
    const close = () => {
      clearTimeout(timer)
      source?.close()
    }
    const open = () => {
      close()
      if (document.hidden) return
      source = new EventSource('/demo/api/changes')
      source.onmessage = read
      source.onerror = () => {
        close()
        // Fails too, and says so on the page.
        read()
        timer = setTimeout(open, RETRY)
      }
    }
    open()
    document.addEventListener('visibilitychange', open)
    return () => {
      document.removeEventListener('visibilitychange', open)
      close()
    }
  }, [cache])
}
