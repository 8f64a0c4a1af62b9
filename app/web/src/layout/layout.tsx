import { type ReactNode, useRef } from 'react'
import { useLocation } from 'react-router'
import { useRedirected } from '../auth/access.tsx'
import { useAuth } from '../auth/use-auth.ts'
import * as paths from '../paths.ts'
import { useIsLoading } from '../routes.tsx'
import { layoutTexts, layoutTexts as texts } from '../texts/layout.ts'
import { SkipLink, useFocusOnNewScreen } from '../ui/page.tsx'
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

/** A line at the top of the window while a screen's file is loading slowly. */
export function Progress() {
  return useIsLoading() ? (
    <div
      role="progressbar"
      aria-label={layoutTexts.loading}
      className="fixed inset-x-0 top-0 z-20 h-0.5 animate-progress bg-accent"
    />
  ) : null
}

/** These show it themselves, in the form. */
const formPaths: readonly string[] = [paths.login, paths.register, paths.verify, paths.recovery]

/** Floats over the page, so that nothing moves when it appears. */
export function ConnectionNotice() {
  const { isUnreachable, refetch } = useAuth()
  const { pathname } = useLocation()
  const isShown = isUnreachable && !formPaths.includes(pathname)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-10 grid justify-items-center p-4"
    >
      {isShown && (
        <div className={card}>
          <p>{texts.unreachable}</p>
          <button type="button" onClick={() => void refetch()} className="link min-h-11">
            {texts.again}
          </button>
        </div>
      )}
    </div>
  )
}

const card =
  'pointer-events-auto flex flex-wrap items-center gap-x-4 rounded-field border border-edge bg-surface px-4 py-1 text-14'

export function Footer() {
  return (
    <footer className="border-t border-line">
      <p className="page-width py-6 text-14 text-muted">{layoutTexts.footer}</p>
    </footer>
  )
}
