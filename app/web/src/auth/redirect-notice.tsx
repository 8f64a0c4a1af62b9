import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useOnward } from '../flow/onward.ts'
import { entranceTo } from '../paths.ts'
import { Notice } from '../ui/notice.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'

/**
 * Says why the visitor is on this page and not on the one they wanted. The server redirects to `/#/dashboard`, and
 * `theme.js` marks the document, so that the prerendered sentence is there with the first paint.
 */
export function RedirectNotice({ children }: { children: ReactNode }) {
  const { after } = useOnward()
  const hydrated = useHydrated()
  return (
    <div className={hydrated && after ? undefined : 'hidden in-data-redirected:block'}>
      <Notice>{children}</Notice>
    </div>
  )
}

/** Takes the page that the server redirected from out of the address: `/login#/settings`. Any other is ignored. */
export function useRedirected(): void {
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const after = hash.slice(1)
    if (entranceTo(after) === pathname) void navigate(pathname, { replace: true, state: { after } })
    // Only once the state has arrived: until then the mark alone shows the reason.
    else delete document.documentElement.dataset.redirected
  }, [pathname, hash, navigate])
}
