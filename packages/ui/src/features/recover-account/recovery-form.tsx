import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { VisitorsOnly } from '../../auth/visitors-only.tsx'
import { codeTexts } from '../../forms/code/texts.ts'
import { useHydrated } from '../../ui/browser.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/form/fields.tsx'
import { FormPage, PageIntro, usePageTitle } from '../../ui/page.tsx'
import { RecoverAccount } from './recover-account.tsx'
import { recoveryTexts } from './texts.ts'

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
    <div className="grid min-h-72 content-start gap-5">
      <PageIntro title={recoveryTexts.title} lead={recoveryTexts.ask} />
      <div className="without-scripts grid gap-5">
        <EmailField id="email" name="email" />
        <Button full>{codeTexts.send}</Button>
      </div>
    </div>
  )
}
