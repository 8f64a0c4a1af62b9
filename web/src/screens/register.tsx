import { Link } from 'react-router'
import { VisitorsOnly } from '../auth/visitors-only.tsx'
import { SignUpForm } from '../features/sign-up/sign-up-form.tsx'
import { FormPage, PageHeading } from '../ui/page.tsx'

export function Register() {
  return (
    <VisitorsOnly>
      <FormPage>
        <div className="mb-6 grid gap-1">
          <PageHeading small>Create account</PageHeading>
          <p className="text-muted">
            Already have one?{' '}
            <Link to="/login" className="link">
              Sign in
            </Link>
          </p>
        </div>
        <SignUpForm />
      </FormPage>
    </VisitorsOnly>
  )
}
