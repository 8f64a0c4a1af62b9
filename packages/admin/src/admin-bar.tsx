import { AppMark, Badge } from '@ostiary/ui'
import { product } from '@ostiary/ui/internal'
import { useQueryClient } from '@tanstack/react-query'
import { NavLink } from 'react-router'
import { askToken, useAccess } from './admin-token.ts'
import { adminTexts as texts } from './texts.ts'

const pages = [
  { to: '/', name: texts.pages.overview, end: true },
  { to: '/accounts', name: texts.pages.accounts, end: false },
  { to: '/emails', name: texts.pages.emails, end: false },
  { to: '/audit', name: texts.pages.audit, end: false },
] as const

export function AdminBar() {
  const { token, isTokenRequired } = useAccess()
  return (
    <header className="border-b border-line">
      <div className="page-width flex min-h-14 flex-wrap items-center gap-x-3 max-sm:pt-2">
        <span className="flex shrink-0 items-center gap-2 font-semibold tracking-tight">
          <AppMark />
          <span>{product().name}</span>
          <Badge>{texts.admin}</Badge>
        </span>
        {!isTokenRequired && (
          <nav
            aria-label={texts.navigation}
            className="flex grow flex-wrap items-center max-sm:order-last max-sm:-mx-2 max-sm:basis-full sm:ms-4 sm:gap-2"
          >
            {pages.map(({ to, name, end }) => (
              <NavLink
                key={to}
                to={to}
                end={end}
                className={({ isActive }) => `bar-link ${isActive ? 'bar-link-active' : ''}`}
              >
                {name}
              </NavLink>
            ))}
          </nav>
        )}
        {token !== undefined && <SignOut />}
      </div>
    </header>
  )
}

function SignOut() {
  const cache = useQueryClient()
  return (
    <button
      type="button"
      onClick={() => {
        askToken()
        cache.clear()
      }}
      className="bar-control ms-auto shrink-0"
    >
      {texts.signOut}
    </button>
  )
}
