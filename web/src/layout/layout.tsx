import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { layoutTexts } from '../texts/layout.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { Footer } from './footer.tsx'
import { Progress } from './progress.tsx'
import { TopBar } from './top-bar.tsx'
import { usePreloading } from './use-preloading.ts'

/** What all screens share. */
export function Layout({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  useFocusOnNewScreen(main)
  usePreloading()
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className={skipLink}>
        {layoutTexts.skip}
      </a>
      <Progress />
      <TopBar />
      <main id="main" ref={main} tabIndex={-1} className="flex grow flex-col">
        {children}
      </main>
      <Footer />
      <ConnectionNotice />
    </div>
  )
}

/** A new screen begins at its heading, for the eyes and for screen readers; the first one as the browser likes. */
function useFocusOnNewScreen(main: { current: HTMLElement | null }): void {
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

const skipLink =
  'absolute start-4 top-2 z-20 -translate-y-24 rounded-field bg-accent px-4 py-2 text-on-accent focus:translate-y-0'
