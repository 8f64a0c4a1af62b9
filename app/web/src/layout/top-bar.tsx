import { lazy, Suspense } from 'react'
import { Link, NavLink } from 'react-router'
import * as product from '../../../../app.config.ts'
import { useAuth } from '../auth/use-auth.ts'
import * as paths from '../paths.ts'
import { layoutTexts as texts } from '../texts/layout.ts'
import { AppMark, Spinner } from '../ui/icons.tsx'
import { FloatingNotice } from './floating-notice.tsx'
import { useSignOut } from './use-sign-out.ts'

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))

export function TopBar() {
  const { isAuthenticated } = useAuth()
  return (
    <header className="border-b border-line">
      <div className="page-width flex min-h-14 flex-wrap items-center gap-x-1">
        <Link
          to={paths.home}
          className="flex min-h-11 shrink-0 items-center gap-2 rounded-small font-semibold tracking-tight max-[24rem]:text-14"
        >
          <span className="max-[24rem]:hidden">
            <AppMark />
          </span>
          <span translate="no">{product.name}</span>
        </Link>
        <nav
          aria-label={texts.main}
          className="scroll-row flex grow basis-20 justify-end-safe max-[17rem]:order-last max-[17rem]:basis-full max-[17rem]:justify-start sm:gap-2"
        >
          {product.navigation.map(({ to, label }) => (
            // On phones the account button replaces the first link, which its menu has too.
            <span key={to} className={isAuthenticated ? 'first:max-[28rem]:hidden' : ''}>
              <NavLink to={to} end className={linkLook}>
                {label}
              </NavLink>
            </span>
          ))}
        </nav>
        <SessionControl />
      </div>
    </header>
  )
}

/** With a hint of a session, it keeps its space until the session is known. */
function SessionControl() {
  const { isAuthenticated, isLoading, isUnreachable } = useAuth()
  const isUnknown = isLoading && !isAuthenticated && !isUnreachable
  return (
    <div className="-me-1.5 flex min-w-13 shrink-0 items-center justify-end sm:ms-2 sm:min-w-20">
      {isAuthenticated ? (
        <>
          <LogoutButton />
          <Suspense fallback={<span className="size-11" />}>
            <AccountMenu />
          </Suspense>
        </>
      ) : (
        <NavLink to={paths.login} className={`${control} ${isUnknown ? 'hinted:invisible' : ''}`}>
          {texts.login}
        </NavLink>
      )}
    </div>
  )
}

function LogoutButton() {
  const { isBusy, hasFailed, signOut } = useSignOut()
  return (
    <>
      <button type="button" onClick={signOut} aria-disabled={isBusy} aria-busy={isBusy} className={control}>
        <span className={isBusy ? 'opacity-40' : ''}>{texts.logout}</span>
        {isBusy && (
          <span className="absolute inset-0 grid place-items-center">
            <Spinner />
          </span>
        )}
      </button>
      <FloatingNotice onRetry={signOut}>{hasFailed ? texts.logoutFailed : undefined}</FloatingNotice>
    </>
  )
}

const target =
  'relative inline-flex min-h-11 items-center rounded-small text-14 -outline-offset-2 transition-colors max-[24rem]:px-1 px-1.5 sm:px-2'
const control = `${target} font-medium text-accent hover:text-accent-strong`

function linkLook({ isActive }: { isActive: boolean }): string {
  return `${target} ${isActive ? 'font-medium text-ink underline decoration-accent decoration-2 underline-offset-8' : 'text-muted hover:text-ink'}`
}
