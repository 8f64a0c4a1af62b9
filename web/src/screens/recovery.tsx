import { useSearchParams } from 'react-router'
import { VisitorsOnly } from '../auth/visitors-only.tsx'
import { NewPassword } from '../features/recover-account/new-password.tsx'
import { RecoverAccount, RecoveryHeading } from '../features/recover-account/recover-account.tsx'
import { FormPage } from '../ui/page.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'

export function Recovery() {
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  if (hydrated && search.get('step') === 'password') {
    return (
      <FormPage>
        <NewPassword />
      </FormPage>
    )
  }
  return (
    <VisitorsOnly>
      <FormPage>{hydrated ? <RecoverAccount /> : <Prerendered />}</FormPage>
    </VisitorsOnly>
  )
}

/** Without a flow: the heading, and space for the form. */
function Prerendered() {
  return (
    <div className="min-h-72">
      <RecoveryHeading />
    </div>
  )
}
