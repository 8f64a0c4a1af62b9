import { Link } from 'react-router'
import { VisitorsOnly } from '../auth/visitors-only.tsx'
import { SignInForm } from '../features/sign-in/sign-in-form.tsx'
import { FormPage, PageHeading } from '../ui/page.tsx'

export function Login() {
  return (
    <VisitorsOnly>
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
        <SignInForm />
      </FormPage>
    </VisitorsOnly>
  )
}
