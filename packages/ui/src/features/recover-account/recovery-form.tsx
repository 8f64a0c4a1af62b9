import { useAuth } from '@ostiary/react'
import { startedByRecovery } from '@ostiary/react/internal'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { ContinueAfterLogin } from '../../auth/visitors-only.tsx'
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
  const { session } = useAuth()
  const isLast = useSearchParams()[0].get('step') === 'password'
  if (useHydrated() && isLast) {
    return (
      <FormPage>
        <Suspense fallback={<div className="min-h-72" />}>
          {session && !startedByRecovery(session) ? <ContinueAfterLogin /> : <NewPassword />}
        </Suspense>
      </FormPage>
    )
  }
  // As prerendered, until the page is hydrated.
  return <RecoverAccount enabled={!isLast} />
}
