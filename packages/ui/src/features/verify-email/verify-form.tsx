import { Navigate, useSearchParams } from 'react-router'
import { codeTexts } from '../../forms/code/texts.ts'
import * as paths from '../../paths.ts'
import { useHydrated } from '../../ui/browser.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/form/fields.tsx'
import { FormPage, PageHeading, usePageTitle } from '../../ui/page.tsx'
import { verifyTexts } from './texts.ts'
import { VerifyEmail } from './verify-email.tsx'

/**
 * The code of an address, and what follows. Without a flow in its URL, it leads home.
 *
 * @example page('/verify', async () => ({ default: VerifyForm }))
 */
export function VerifyForm() {
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  const isLost = hydrated && !search.get('flow')
  // The form keeps its space until home is shown.
  return (
    <>
      {isLost && <Navigate to={paths.home} replace state={{ lacksCode: true }} />}
      <FormPage>{hydrated && !isLost ? <VerifyEmail /> : <Prerendered />}</FormPage>
    </>
  )
}

function Prerendered() {
  usePageTitle(verifyTexts.title)
  return (
    <div className="grid min-h-[24rem] content-start gap-5">
      <PageHeading small>{verifyTexts.title}</PageHeading>
      <div className="without-scripts">
        <div className="grid gap-5">
          <CodeField id="code" name="code" hint={codeTexts.hint} />
          <Button full>{verifyTexts.verify}</Button>
        </div>
      </div>
    </div>
  )
}
