import { type ReactNode, useRef } from 'react'
import * as product from '../../../../app.config.ts'
import { useRedirected } from '../auth/access.tsx'
import { useIsLoading } from '../routes.tsx'
import { layoutTexts } from '../texts/layout.ts'
import { SkipLink, useFocusOnNewScreen } from '../ui/page.tsx'
import { ConnectionNotice } from './floating-notice.tsx'
import { TopBar } from './top-bar.tsx'
import { usePreloading } from './use-preloading.ts'

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

function Progress() {
  return useIsLoading() ? (
    <div
      role="progressbar"
      aria-label={layoutTexts.loading}
      className="fixed inset-x-0 top-0 z-20 h-0.5 animate-progress bg-accent"
    />
  ) : null
}

function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="page-width flex flex-wrap gap-x-6 gap-y-2 py-6 text-14 text-muted">
        <p>{product.footer}</p>
        {product.legal.map(({ to, label }) => (
          <a key={to} href={to} className="link">
            {label}
          </a>
        ))}
      </div>
    </footer>
  )
}
