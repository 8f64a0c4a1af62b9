import { traitsOf } from '@ostiary/react/internal'
import { Address, ButtonLink, FormLink, LoginForm, Skeleton, useAuth, usePageTitle } from '@ostiary/ui'
import { ActionButton, CopyButton, pageAfterLogin, product } from '@ostiary/ui/internal'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { demoTexts } from '../texts.ts'
import { claims, mainClaim } from './claims.ts'
import { Faces } from './faces.tsx'
import { stageTexts as texts } from './texts.ts'
import { Trouble } from './trouble.tsx'

const COMMAND = 'npm start'

/** A working login, ready-made users, and what can go wrong. The panel shows the protocol. */
export function Stage() {
  return (
    <div className="page-width grid gap-4 py-4 max-sm:gap-3 max-sm:py-3">
      {import.meta.env.IN_REPOSITORY ? <Pitch /> : <p className="text-28 font-semibold">{product().name}</p>}
      <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-[minmax(0,4fr)_minmax(0,3fr)] md:grid-rows-[auto_1fr] md:gap-y-6">
        <div className="md:col-start-2">
          <Faces />
        </div>
        <div className="md:col-start-1 md:row-span-2 md:row-start-1 [&_h1]:text-22">
          <Login />
        </div>
        <Trouble />
      </div>
      {import.meta.env.IN_REPOSITORY && <Claims />}
    </div>
  )
}

/** In the repository of these packages only. A product shows its name instead. */
function Pitch() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2">
      <p className="max-w-160 grow basis-72 text-28 font-semibold tracking-tight text-balance max-sm:text-18">
        {mainClaim}
      </p>
      <p className="flex items-center gap-3 rounded-field bg-raised px-3 sm:py-1 sm:ps-4 sm:pe-1">
        <code className="font-mono text-18 font-semibold">{COMMAND}</code>
        <span className="max-sm:hidden">
          <CopyButton text={COMMAND}>{demoTexts.copy}</CopyButton>
        </span>
      </p>
    </div>
  )
}

function Claims() {
  return (
    <ul className="grid gap-x-8 gap-y-4 border-t border-line pt-4 sm:grid-cols-3">
      {claims.map(({ text, proof }) => (
        <li key={proof} className="grid content-between gap-1 text-14">
          <p>{text}</p>
          <code className="font-mono text-muted">{proof}</code>
        </li>
      ))}
    </ul>
  )
}

function Login() {
  const { isLoading, isAuthenticated } = useAuth()
  const [wasLoggedIn, setLoggedIn] = useState<boolean>()
  // The form stays during a login, because it leads on to the dashboard.
  if (!isLoading && wasLoggedIn !== false && wasLoggedIn !== isAuthenticated) setLoggedIn(isAuthenticated)
  if (wasLoggedIn === undefined) return <Skeleton heights={['h-140 hinted:h-52']} />
  if (!wasLoggedIn)
    return (
      <LoginForm title={texts.title}>
        <span>{texts.isNew}</span> <FormLink to="/register">{texts.signUp}</FormLink>
      </LoginForm>
    )
  return <LoggedIn />
}

function LoggedIn() {
  const { session, logout } = useAuth()
  const { mutate: end, isPending, isError } = useMutation({ mutationFn: logout })
  const { email } = traitsOf(session?.identity)
  usePageTitle(texts.loggedIn)
  return (
    <div className="grid justify-items-start gap-4 rounded-card border border-line bg-surface p-6">
      <h1 className="text-28">{texts.loggedIn}</h1>
      {email && <Address>{email}</Address>}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={pageAfterLogin()}>{texts.continue}</ButtonLink>
        <ActionButton look="neutral" words={texts.logout} isBusy={isPending} onClick={() => end()} />
      </div>
      <p role="status" className={isError ? '' : 'sr-only'}>
        {isError && texts.logoutFailed}
      </p>
    </div>
  )
}
