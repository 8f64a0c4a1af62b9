import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { VisitorsOnly } from '../../auth/visitors-only.tsx'
import { useHydrated } from '../../ui/browser.ts'
import { FormPage, usePageTitle } from '../../ui/page.tsx'
import { RecoverAccount, RecoveryHeading } from './recover-account.tsx'
import { recoveryTexts } from './texts.ts'

const NewPassword = lazy(async () => ({ default: (await import('./new-password.tsx')).NewPassword }))

/** A code to an address, then a new password. */
export function RecoveryForm() {
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  if (hydrated && search.get('step') === 'password') {
    return (
      <FormPage>
        <Suspense fallback={<Prerendered />}>
          <NewPassword />
        </Suspense>
      </FormPage>
    )
  }
  return (
    <VisitorsOnly>
      <FormPage>{hydrated ? <RecoverAccount /> : <Prerendered />}</FormPage>
    </VisitorsOnly>
  )
}

function Prerendered() {
  usePageTitle(recoveryTexts.title)
  return (
    <div className="min-h-72">
      <RecoveryHeading />
    </div>
  )
}
