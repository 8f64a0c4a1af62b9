import { usePageTitle } from '@ostiary/ui'
import { ProviderMark } from '@ostiary/ui/internal'
import { type Attempt, ConsentForm, readAttempt, useUsers } from './consent-form.tsx'

export function DemoProvider() {
  const attempt = readAttempt(location.search)
  const name = attempt?.provider.label ?? 'Login'
  usePageTitle(`${name} (demo)`)
  return (
    <main className="page-width py-8 sm:py-16">
      <div className="mx-auto grid w-full max-w-100 gap-6 sm:max-w-128 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
        <div className="grid justify-items-start gap-3">
          <p className="rounded-small bg-amber-tint px-2 py-0.5 text-14 text-amber forced-colors:border">
            {`Demo: no real ${attempt ? `${name} ` : ''}account is involved`}
          </p>
          <h1 className="flex items-center gap-3 text-28">
            {attempt && <ProviderMark id={attempt.provider.id} />}
            <span>{`${name} (demo)`}</span>
          </h1>
        </div>
        {attempt ? <Consent attempt={attempt} /> : <Expired />}
      </div>
    </main>
  )
}

function Consent({ attempt }: { attempt: Attempt }) {
  const { data: users, isError } = useUsers(attempt)
  if (isError) return <Expired />
  if (!users) return <p className="text-muted">One moment…</p>
  return <ConsentForm attempt={attempt} users={users} />
}

function Expired() {
  return (
    <>
      <p className="text-muted">This login attempt has expired. Nothing was changed; you can start again.</p>
      <p>
        <a href="/login" className="link inline-flex min-h-11 items-center">
          Go to Login
        </a>
      </p>
    </>
  )
}
