import { AppMark, SessionControl } from '@ostiary/ui'
import type { ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { footer, legal, name, navigation } from '../../app.config.ts'
import { layoutTexts as texts } from '../texts.ts'

export function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <TopBar />
      {children}
      <Footer />
    </>
  )
}

function TopBar() {
  return (
    <header className="border-b border-line">
      <div className="page-width flex min-h-14 flex-wrap items-center gap-x-1 max-[24rem]:gap-x-0">
        <Link
          to="/"
          className="flex min-h-11 shrink-0 items-center gap-2 rounded-small font-semibold tracking-tight max-[24rem]:text-14"
        >
          <span className="max-[24rem]:hidden">
            <AppMark />
          </span>
          <span translate="no">{name}</span>
        </Link>
        <nav
          aria-label={texts.navigation}
          className="flex grow flex-wrap justify-end max-[20rem]:order-last max-[20rem]:basis-full max-[20rem]:justify-start sm:gap-2"
        >
          {navigation.map(({ to, label }) => (
            // On phones the account button replaces the first link, which its menu has too.
            <span key={to} className="hinted:first:max-[28rem]:hidden">
              <NavLink
                to={to}
                end
                className={({ isActive }) => `bar-link ${isActive ? 'bar-link-active' : ''}`}
              >
                {label}
              </NavLink>
            </span>
          ))}
        </nav>
        <div className="-me-1.5 ms-auto sm:ms-2">
          <SessionControl login={texts.login} onPhones={navigation[0]} />
        </div>
      </div>
    </header>
  )
}

function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="page-width flex flex-wrap gap-x-6 gap-y-2 py-6 text-14 text-muted">
        <p>{footer}</p>
        {legal.map(({ to, label }) => (
          <a key={to} href={to} className="link">
            {label}
          </a>
        ))}
      </div>
    </footer>
  )
}
