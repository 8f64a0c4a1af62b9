import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type Location, parsePath, useLocation, useNavigate } from 'react-router'
import * as paths from '../paths.ts'
import { layoutTexts } from '../texts/layout.ts'
import { Page } from '../ui/page.tsx'
import { type Auth, useAuth } from './use-auth.ts'

/**
 * The location to show. Visitors of a page for signed-in users get its entrance before the address changes: until the
 * entrance is loaded, the page that they come from stays.
 */
export function useAdmittedLocation(): Location {
  const location = useLocation()
  const navigate = useNavigate()
  const redirect = useDeferredValue(useRedirect(location.pathname.replace(/(?<=.)\/+$/, '')))
  useEffect(() => {
    if (redirect) void navigate(redirect, { replace: true, state: redirect.state })
  }, [redirect, navigate])
  return redirect ? { ...location, ...redirect } : location
}

/** Where a page redirects this visitor, who learns there why; after signing out to the home page without a word. */
function useRedirect(path: string) {
  const auth = useAuth()
  const { isAuthenticated, hasSignedOut } = auth
  const [shown, setShown] = useState({ path, isAuthenticated })
  const isSamePage = shown.path === path
  if (!isSamePage || (isAuthenticated && !shown.isAuthenticated)) setShown({ path, isAuthenticated })
  const isLeft = isSamePage && shown.isAuthenticated && hasSignedOut
  const to = isLeft && !isAuthenticated && paths.entranceTo(path) ? paths.home : entranceFor(path, auth)
  const after = isLeft ? undefined : path
  return useMemo(
    () => (to ? { search: '', hash: '', ...parsePath(to), state: after && { after } } : undefined),
    [to, after],
  )
}

function entranceFor(path: string, { session, isAuthenticated, needsSecondFactor, isLoading }: Auth) {
  const entrance = paths.entranceTo(path)
  if (entrance === undefined) return undefined
  if (session?.isRecovering) return paths.newPassword
  // The page stays while a known session is fetched again.
  if (isAuthenticated || isLoading) return undefined
  return needsSecondFactor ? paths.secondFactor : entrance
}

/** Shows the pages that are for signed-in users to them only. */
export function RequireSession({ path, children }: { path: string; children: ReactNode }) {
  const { session, isAuthenticated, hasSignedOut } = useAuth()
  if (paths.entranceTo(path) === undefined) return children
  if (isAuthenticated && !session?.isRecovering) return children
  if (hasSignedOut) return null
  return (
    <Page>
      <div role="status" className="text-muted">
        {/* Screen readers navigate by headings, also while the page waits. */}
        <h1 className="text-16 font-normal tracking-normal">{layoutTexts.loadingSession}</h1>
      </div>
    </Page>
  )
}
