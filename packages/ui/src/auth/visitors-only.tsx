import { type AnyFlow, type FlowForm, useAuth } from '@ostiary/react'
import { loginUrl, useService } from '@ostiary/react/internal'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { forgetTypedAddresses, useReturnTarget } from '../flow/return-target.tsx'
import { pageAfterLogin } from '../product.ts'
import { layoutTexts } from '../texts/layout.ts'
import { leaveFor } from '../ui/browser.ts'

interface VisitorsOnlyProps {
  /** It redirects after its submission. */
  form: Pick<FlowForm<AnyFlow>, 'status'>
  /** True while it is unknown whether signed-in users may see the page. */
  waits?: boolean
  children: ReactNode
}

/** Redirects signed-in users from a login form. With a hint of a session, shows the form once it is checked. */
export function VisitorsOnly({ form, waits = false, children }: VisitorsOnlyProps) {
  const { isAuthenticated } = useAuth()
  const isSent = form.status === 'submitting' || form.status === 'done'
  const isUnknown = useIsSessionUnknown()
  // The form stays until the next screen is loaded, so that a slow connection shows no empty page.
  return (
    <>
      <div className="relative">
        {isUnknown && (
          <p role="status" className="absolute inset-x-0 top-16 hidden text-center text-muted hinted:block">
            {layoutTexts.loadingSession}
          </p>
        )}
        {/* Not `invisible`: after a redirect, the heading takes the focus. */}
        <div className={isUnknown ? 'hinted:opacity-0' : undefined}>{children}</div>
      </div>
      {isAuthenticated && !isSent && !waits && <ContinueAfterLogin />}
    </>
  )
}

/** While the first check of the session lasts, also in prerendered pages. */
export function useIsSessionUnknown(): boolean {
  const { isAuthenticated, isLoading, isUnreachable } = useAuth()
  return isLoading && !isAuthenticated && !isUnreachable
}

export function ContinueAfterLogin() {
  const continueAfterLogin = useEffectEvent(useContinueAfterLogin())
  useEffect(() => void continueAfterLogin(), [])
  return null
}

/** Leads a signed-in user on: to the wanted page, or back to the OAuth 2.0 server. Back must not return to the login. */
export function useContinueAfterLogin() {
  const service = useService()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { after = pageAfterLogin(), login_challenge = search.get('login_challenge') } = useReturnTarget()
  return async (state?: object): Promise<void> => {
    if (login_challenge) leaveFor(loginUrl(service, { login_challenge }))
    else await navigate(after, { replace: true, state })
  }
}

/** Keeps the mark of `theme.js`, by which styles know a signed-in user before the session is loaded. */
export function useSessionMark(): void {
  const { isAuthenticated } = useAuth()
  const isUnknown = useIsSessionUnknown()
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    if (isAuthenticated) dataset.session = ''
    else if (!isUnknown) delete dataset.session
    // The next user of the browser must not find them.
    if (isAuthenticated) forgetTypedAddresses()
  }, [isAuthenticated, isUnknown])
}
