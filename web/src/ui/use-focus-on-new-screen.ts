import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** A new screen begins at its heading, for the eyes and for screen readers; the first one as the browser likes. */
export function useFocusOnNewScreen(main: { current: HTMLElement | null }): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    scrollTo(0, 0)
    // A screen may have put the focus where its work begins.
    const focused = document.activeElement
    if (focused !== main.current && main.current?.contains(focused)) return
    const heading = main.current?.querySelector('h1')
    const start = heading ?? main.current
    start?.focus({ preventScroll: true })
  }, [pathname, main])
}
