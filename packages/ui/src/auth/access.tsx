import { type Auth, useAuth } from '@ostiary/react'
import { traitsOf, wasSignedIn } from '@ostiary/react/internal'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type Location, parsePath, useLocation, useNavigate } from 'react-router'
import { readSettings } from '../api/env.ts'
import { hasSessionHint } from '../api/service.ts'
import { useReturnTarget } from '../flow/return-target.tsx'
import * as paths from '../paths.ts'
import { loginPathFor, type PageRoute } from '../routes.ts'
import { layoutTexts } from '../texts/layout.ts'
import { messagePageTexts } from '../texts/message-pages.ts'
import { useHydrated } from '../ui/browser.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/form/form-error.tsx'
import { BrokenDrawing, MessagePage } from '../ui/message-page.tsx'
import { Notice, Page, usePageTitle } from '../ui/page.tsx'

/** The location to show. A protected page keeps the previous page visible until the login is loaded. */
export function useAdmittedLocation(): Location {
  const location = useLocation()
  const navigate = useNavigate()
  const redirect = useAccessRedirect(location)
  // At once: later it would undo what the user has opened since.
  useEffect(() => {
    if (redirect) void navigate(redirect, { replace: true, state: redirect.state })
  }, [redirect, navigate])
  const deferredRedirect = useDeferredValue(redirect)
  return deferredRedirect ? { ...location, ...deferredRedirect } : location
}

/** Where a page redirects this visitor. A logout leads home without an explanation. */
function useAccessRedirect({ pathname, search, hash }: Location) {
  const path = pathname.replace(/(?<=.)\/+$/, '')
  const auth = useAuth()
  const { isAuthenticated, hasSignedOut, session } = auth
  const ownEmail = traitsOf(session?.identity).email
  const [shownPage, setShown] = useState({ path, isAuthenticated, email: ownEmail })
  const isSamePage = shownPage.path === path
  if (!isSamePage || (isAuthenticated && !shownPage.isAuthenticated))
    setShown({ path, isAuthenticated, email: ownEmail ?? shownPage.email })
  const isLeft = isSamePage && shownPage.isAuthenticated && hasSignedOut
  const redirectPath =
    isLeft && !isAuthenticated && loginPathFor(path) ? paths.home : accessRedirectFor(path, auth)
  const after = isLeft ? undefined : path + search + hash
  const email = hasSignedOut ? undefined : shownPage.email
  return useMemo(
    () =>
      redirectPath
        ? { search: '', hash: '', ...parsePath(redirectPath), state: after && { after, email } }
        : undefined,
    [redirectPath, after, email],
  )
}

function accessRedirectFor(
  path: string,
  { session, isAuthenticated, needsSecondFactor, isLoading, isUnreachable }: Auth,
) {
  const loginPath = loginPathFor(path)
  if (loginPath === undefined) return undefined
  if (session?.isRecovering) return paths.newPassword
  // The page stays while a known session is fetched again. After a failure it is unknown.
  if (isAuthenticated || isLoading || isUnchecked(isUnreachable)) return undefined
  return needsSecondFactor ? paths.secondFactor : loginPath
}

function isUnchecked(isUnreachable: boolean): boolean {
  return isUnreachable && hasSessionHint()
}

interface RequireSessionProps extends Pick<PageRoute, 'path' | 'Screen'> {}

export function RequireSession({ path, Screen }: RequireSessionProps) {
  const { session, isAuthenticated, isLoading, isUnreachable, hasSignedOut } = useAuth()
  const hydrated = useHydrated()
  if (loginPathFor(path) === undefined) {
    // A page with a parameter is prerendered once for all values.
    return hydrated || !path.includes(':') ? <Screen /> : <Skeleton>{layoutTexts.loading}</Skeleton>
  }
  if (isAuthenticated && !session?.isRecovering) return <Screen />
  if (hasSignedOut) return null
  if (isUnchecked(isUnreachable)) return <Screen checking={<Unchecked />} inFrame={<UncheckedInFrame />} />
  const checking = <Skeleton>{layoutTexts.loadingSession}</Skeleton>
  return isLoading ? <Screen checking={checking} /> : checking
}

function Skeleton({ children }: { children: string }) {
  return (
    <Page wide>
      <div className="needs-scripts">
        <div role="status" className="mb-8 text-muted">
          {/* Screen readers navigate by headings, also while the page waits. */}
          <h1 className="text-16 font-normal tracking-normal">{children}</h1>
        </div>
        <div className="skeleton" />
      </div>
    </Page>
  )
}

function Unchecked() {
  const { refetch } = useAuth()
  usePageTitle(texts.heading)
  return (
    <MessagePage
      drawing={<BrokenDrawing />}
      heading={texts.heading}
      actions={
        <Button look="neutral" onClick={() => void refetch()}>
          {texts.again}
        </Button>
      }
    >
      {texts.text}
    </MessagePage>
  )
}

function UncheckedInFrame() {
  const { refetch } = useAuth()
  return <FormError retry={() => void refetch()}>{`${texts.heading}. ${texts.text}`}</FormError>
}

const texts = messagePageTexts.unchecked

/**
 * Explains a redirect, that a link was incomplete, and that a session has ended. The server redirects to
 * `/?after=/dashboard`, and `theme.js` marks the document, so that the prerendered sentences are part of the first
 * paint.
 *
 * @param afterLogout for the home page, where a logout ends
 * @example <RedirectNotice afterLogout="You’re logged out.">Log in to see the dashboard.</RedirectNotice>
 */
export function RedirectNotice({ children, afterLogout }: { children: ReactNode; afterLogout?: string }) {
  const { after } = useReturnTarget()
  const { state } = useLocation() as Location<{ lacksCode?: true } | null>
  const { hasSignedOut, isAuthenticated } = useAuth()
  const hydrated = useHydrated()
  if (state?.lacksCode) return <IncompleteLink />
  if (isAuthenticated && afterLogout) return null
  const ended = hasSignedOut && !after ? afterLogout : undefined
  return (
    <div className={hydrated && (after || ended) ? undefined : 'hidden in-data-redirected:block'}>
      <Notice>
        {!ended && (!hydrated || wasSignedIn()) && (
          <span className={hydrated ? undefined : 'hidden in-data-ended:inline'}>
            {layoutTexts.sessionEnded}
          </span>
        )}{' '}
        <span>{ended ?? children}</span>
      </Notice>
    </div>
  )
}

/** A verification page without its flow leads home. */
function IncompleteLink() {
  const { session } = useAuth()
  if (hasVerifiedEmail(session)) return <Notice>{layoutTexts.emailVerified}</Notice>
  return (
    <Notice>
      <span>{layoutTexts.incompleteLink}</span>{' '}
      <a href={`${readSettings().identity_url}/self-service/verification/browser`} className="link">
        {layoutTexts.newCode}
      </a>
    </Notice>
  )
}

export function hasVerifiedEmail(session: Auth['session']): boolean {
  const { email } = traitsOf(session?.identity)
  const addresses = session?.identity?.verifiable_addresses ?? []
  return addresses.some(({ value, verified }) => verified && value === email)
}

/** Moves the requested page from the URL (`/login?after=/settings#theme`) to the state. Ignores any other. */
export function useReturnTargetFromUrl(): void {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const page = new URLSearchParams(search).get('after') ?? ''
    // `/\\evil.example` is another site.
    const isOurs = !/^\/[/\\]/.test(page)
    if (isOurs && loginPathFor(parsePath(page).pathname ?? '') === pathname)
      void navigate(pathname, { replace: true, state: { after: page + hash } })
    // The mark shows the reason until the state arrives.
    else delete document.documentElement.dataset.redirected
  }, [pathname, search, hash, navigate])
}
