import { VisitorsOnly } from '../auth/visitors-only.tsx'
import { FinishWithProvider, providerToFinishWith } from '../features/sign-up/finish-with-provider.tsx'
import { SignUpForm } from '../features/sign-up/sign-up-form.tsx'
import { signUpTexts as texts } from '../features/sign-up/texts.ts'
import { registrationFlow } from '../flow/kinds.ts'
import { OnwardLink } from '../flow/onward.tsx'
import { useFlow } from '../flow/use-flow.ts'
import { useCredentials } from '../forms/credentials/credentials-form.tsx'
import * as paths from '../paths.ts'
import { FormPage, PageHeading } from '../ui/page.tsx'

export function Screen() {
  const registration = useFlow(registrationFlow)
  const credentials = useCredentials()
  const { flow } = registration
  const provider = providerToFinishWith(flow)
  return (
    <VisitorsOnly>
      <FormPage>
        {flow && provider ? (
          <FinishWithProvider registration={registration} flow={flow} provider={provider} />
        ) : (
          <>
            <div className="mb-6 grid gap-1">
              <PageHeading small>{texts.title}</PageHeading>
              <p className="text-muted">
                <span>{texts.isKnown}</span>{' '}
                <OnwardLink to={paths.login} state={{ email: credentials.texts.email }} className="link">
                  {texts.signIn}
                </OnwardLink>
              </p>
            </div>
            <SignUpForm registration={registration} credentials={credentials} />
          </>
        )}
      </FormPage>
    </VisitorsOnly>
  )
}
