import { type ReactNode, useRef } from 'react'
import { useRedirected } from '../auth/redirect-notice.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { useFocusOnNewScreen } from '../ui/use-focus-on-new-screen.ts'
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
  useRedirected()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
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
