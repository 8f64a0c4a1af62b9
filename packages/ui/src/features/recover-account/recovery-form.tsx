import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { VisitorsOnly } from '../../auth/visitors-only.tsx'
import { useHydrated } from '../../ui/browser.ts'
import { FormPage } from '../../ui/page.tsx'
import { RecoverAccount } from './recover-account.tsx'

const NewPassword = lazy(async () => ({ default: (await import('./new-password.tsx')).NewPassword }))

/**
 * A code to an address, then a new password.
 *
 * @example <FormPage><RecoveryForm /></FormPage>
 */
export function RecoveryForm() {
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  if (hydrated && search.get('step') === 'password') {
    return (
      <FormPage>
        <Suspense fallback={<div className="min-h-72" />}>
          <NewPassword />
        </Suspense>
      </FormPage>
    )
  }
  return (
    <VisitorsOnly>
      <FormPage>
        <RecoverAccount />
      </FormPage>
    </VisitorsOnly>
  )
}
