import { useAuth } from '../auth/use-auth.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'

const steps = [
  { name: 'Create an account', text: 'An email address and a password are enough.' },
  { name: 'Verify your email', text: 'A six-digit code shows that the address is yours.' },
  { name: 'Open the dashboard', text: 'It is there for those who are signed in.' },
] as const

export function Home() {
  usePageTitle(undefined)
  return (
    <Page wide>
      <div className="grid justify-items-start gap-4 sm:py-8">
        <PageHeading>Welcome to the Home Page!</PageHeading>
        <p className="text-18 text-muted">This is the landing page of My App.</p>
        <div className="mt-4 min-h-11">
          <NextStep />
        </div>
      </div>
      <ol className="mt-12 grid gap-8 border-t border-line pt-8 sm:mt-16 sm:grid-cols-3">
        {steps.map(({ name, text }, index) => (
          <li key={name} className="grid content-start gap-1">
            <span aria-hidden="true" className="text-14 font-medium text-accent tabular-nums">
              {index + 1}
            </span>
            <h2 className="text-16">{name}</h2>
            <p className="text-14 text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Page>
  )
}

/** The one thing to do; its place is kept until it is known which. */
function NextStep() {
  const { isAuthenticated, isLoading, isUnreachable } = useAuth()
  if (isAuthenticated) return <ButtonLink to="/dashboard">Open the dashboard</ButtonLink>
  if (isLoading && !isUnreachable) return null
  return <ButtonLink to="/register">Create account</ButtonLink>
}
