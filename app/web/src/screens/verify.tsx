import { Navigate, useSearchParams } from 'react-router'
import { verifyTexts } from '../features/verify-email/texts.ts'
import { VerifyEmail } from '../features/verify-email/verify-email.tsx'
import * as paths from '../paths.ts'
import { useHydrated } from '../ui/browser.ts'
import { FormPage, PageHeading, usePageTitle } from '../ui/page.tsx'

export function Screen() {
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  if (hydrated && !search.get('flow')) return <Navigate to={paths.home} replace />
  return <FormPage>{hydrated ? <VerifyEmail /> : <Prerendered />}</FormPage>
}

function Prerendered() {
  usePageTitle(verifyTexts.title)
  return (
    <div className="min-h-96">
      <PageHeading small>{verifyTexts.title}</PageHeading>
    </div>
  )
}
