import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Scrolls a new screen to its top and focuses its heading; the first screen is left to the browser. */
export function useFocusOnNewScreen(main: { current: HTMLElement | null }): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    scrollTo(0, 0)
    // The screen may have focused an element already.
    const focused = document.activeElement
    if (focused !== main.current && main.current?.contains(focused)) return
    const heading = main.current?.querySelector('h1')
    const start = heading ?? main.current
    start?.focus({ preventScroll: true })
  }, [pathname, main])
}
