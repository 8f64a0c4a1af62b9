import { useAuth } from '@ostiary/react'
import { useEffect, useState } from 'react'
import { NavLink } from 'react-router'
import { useIsSessionUnknown } from '../auth/visitors-only.tsx'
import * as paths from '../paths.ts'
import { layoutTexts as texts } from '../texts/layout.ts'
import { Spinner } from '../ui/icons.tsx'
import type { MenuLink } from './account-menu.tsx'
import { FloatingNotice } from './floating-notice.tsx'
import { useSignOut } from './use-sign-out.ts'

interface SessionControlProps {
  /** The words of the link to the login. */
  login: string
  /** A link that the account menu has on phones, where the bar has no room for it. */
  onPhones?: MenuLink
}

/**
 * Login for visitors, Logout and the account menu for others. With a hint of a session, it keeps their space until
 * the session is known.
 *
 * @example <SessionControl login="Login" />
 */
export function SessionControl({ login, onPhones }: SessionControlProps) {
  const { isAuthenticated } = useAuth()
  const isUnknown = useIsSessionUnknown()
  const [loaded, setLoaded] = useState<typeof import('./account-menu.tsx')>()
  // Not `lazy`, which React shows 300 ms after its placeholder at the earliest.
  useEffect(() => {
    if (isAuthenticated) import('./account-menu.tsx').then(setLoaded, console.error)
  }, [isAuthenticated])
  return (
    <div className="flex shrink-0 items-center">
      {isAuthenticated ? (
        <>
          <LogoutButton />
          {loaded ? <loaded.AccountMenu onPhones={onPhones} /> : menuSpace}
        </>
      ) : (
        <NavLink to={paths.login} className="bar-control hinted:hidden">
          {login}
        </NavLink>
      )}
      {isUnknown && (
        <div aria-hidden="true" className="invisible hidden hinted:flex">
          <span className="bar-control before:content-[attr(data-label)]" data-label={texts.logout} />
          {menuSpace}
        </div>
      )}
    </div>
  )
}

const menuSpace = <span className="size-11" />

function LogoutButton() {
  const { isBusy, hasFailed, signOut } = useSignOut()
  return (
    <>
      <button
        type="button"
        // By which tests find it, whatever it says.
        name="logout"
        onClick={signOut}
        aria-disabled={isBusy}
        aria-busy={isBusy}
        className="bar-control"
      >
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
