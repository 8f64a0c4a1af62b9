import { Link, useSearchParams } from 'react-router'
import { VisitorsOnly } from '../auth/visitors-only.tsx'
import { ConfirmForm } from '../features/sign-in/confirm-form.tsx'
import { SignInForm } from '../features/sign-in/sign-in-form.tsx'
import { findInput } from '../flow/inputs.ts'
import { loginFlow } from '../flow/kinds.ts'
import { useFlow } from '../flow/use-flow.ts'
import { FormPage, PageHeading } from '../ui/page.tsx'

export function Login() {
  const login = useFlow(loginFlow)
  const [search] = useSearchParams()
  const flow = login.opened?.kind === 'flow' ? login.opened.flow : undefined
  const email: unknown = flow?.refresh ? findInput(flow, 'identifier')?.value : undefined
  if (typeof email === 'string') {
    return (
      <FormPage>
        <ConfirmForm login={login} email={email} />
      </FormPage>
    )
  }
  // The flow of the address may ask somebody who is signed in to confirm it: only the flow itself can say so.
  const isOpening = search.has('flow') && !login.opened
  return (
    <VisitorsOnly waits={isOpening}>
      <FormPage>
        <div className="mb-6 grid gap-1">
          <PageHeading small>Sign in</PageHeading>
          <p className="text-muted">
            New here?{' '}
            <Link to="/register" className="link">
              Sign up
            </Link>
          </p>
        </div>
        <SignInForm login={login} />
      </FormPage>
    </VisitorsOnly>
  )
}
