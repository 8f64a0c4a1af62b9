import { usePageTitle } from '@ostiary/ui'
import { ProviderMark } from '@ostiary/ui/internal'
import { demoTexts } from '../texts.ts'
import { type Attempt, ConsentForm, readAttempt, useUsers } from './consent-form.tsx'
import { providerTexts as texts } from './texts.ts'

export function DemoProvider() {
  const attempt = readAttempt(location.search)
  const name = attempt?.provider.label ?? texts.login
  usePageTitle(texts.titleOf(name))
  return (
    <main className="page-width py-8 sm:py-16">
      <div className="mx-auto grid w-full max-w-100 gap-6 sm:max-w-128 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
        <div className="grid justify-items-start gap-3">
          <p className="rounded-small bg-amber-tint px-2 py-0.5 text-14 text-amber forced-colors:border">
            {texts.note(attempt?.provider.label)}
          </p>
          <h1 className="flex items-center gap-3 text-28">
            {attempt && <ProviderMark id={attempt.provider.id} />}
            <span>{texts.titleOf(name)}</span>
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
  if (!users) return <p className="text-muted">{demoTexts.wait}</p>
  return <ConsentForm attempt={attempt} users={users} />
}

function Expired() {
  return (
    <>
      <p className="text-muted">{texts.expired}</p>
      <p>
        <a href="/login" className="link inline-flex min-h-11 items-center">
          {texts.signIn}
        </a>
      </p>
    </>
  )
}
