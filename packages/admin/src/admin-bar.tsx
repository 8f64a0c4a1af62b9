import { AppMark, Badge } from '@ostiary/ui'
import { product } from '@ostiary/ui/internal'
import { useQueryClient } from '@tanstack/react-query'
import { NavLink } from 'react-router'
import { askToken, useAccess } from './admin-token.ts'
import { adminTexts as texts } from './texts.ts'

const pages = [
  { to: '/', label: texts.pages.overview, end: true },
  { to: '/accounts', label: texts.pages.accounts, end: false },
  { to: '/emails', label: texts.pages.emails, end: false },
  { to: '/audit', label: texts.pages.audit, end: false },
] as const

export function AdminBar() {
  const { token, isTokenRequired } = useAccess()
  const { name, public_url } = product()
  return (
    <header className="border-b border-line">
      <div className="page-width flex min-h-14 flex-wrap items-center gap-x-3 max-sm:pt-2">
        <span className="flex shrink-0 items-center gap-2 font-semibold tracking-tight">
          <span className="max-[24rem]:hidden">
            <AppMark />
          </span>
          <span>{name}</span>
          <Badge>{texts.admin}</Badge>
        </span>
        {!isTokenRequired && (
          <nav
            aria-label={texts.navigation}
            className="flex grow flex-wrap items-center max-sm:order-last max-sm:-mx-2 max-sm:basis-full sm:ms-4 sm:gap-2"
          >
            {pages.map(({ to, label, end }) => (
              <NavLink
                key={to}
                to={to}
                end={end}
                className={({ isActive }) => `bar-link ${isActive ? 'bar-link-active' : ''}`}
              >
                {label}
              </NavLink>
            ))}
          </nav>
        )}
        <span className="ms-auto -me-1.5 flex shrink-0 sm:-me-2">
          {public_url && (
            <a href={public_url} className="bar-link">
              {texts.back(name)}
            </a>
          )}
          {token !== undefined && <SignOut />}
        </span>
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
      className="bar-control"
    >
      {texts.signOut}
    </button>
  )
}
