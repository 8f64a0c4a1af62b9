import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { VisitorsOnly } from '../auth/visitors-only.tsx'
import { RecoverAccount, RecoveryHeading } from '../features/recover-account/recover-account.tsx'
import { recoveryTexts } from '../features/recover-account/texts.ts'
import { useHydrated } from '../ui/browser.ts'
import { FormPage, usePageTitle } from '../ui/page.tsx'

const NewPassword = lazy(async () => ({
  default: (await import('../features/recover-account/new-password.tsx')).NewPassword,
}))

export function Screen() {
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
