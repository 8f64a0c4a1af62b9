import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { PasswordForm } from '../../account/password-form.tsx'
import { useAuth } from '../../auth/use-auth.ts'
import { recoveryFlow, settingsFlow } from '../../flow/kinds.ts'
import { useAfterSignIn, useOnward } from '../../flow/onward.ts'
import { useFlow } from '../../flow/use-flow.ts'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'

/** The last step of a recovery: the person is signed in and chooses the password to come back with. */
export function NewPassword() {
  const settings = useFlow(settingsFlow)
  const navigate = useNavigate()
  const onward = useOnward()
  const after = useAfterSignIn()
  const { refetch } = useAuth()
  const view = useRef<HTMLDivElement>(null)
  usePageTitle('Choose a new password')
  useSessionOfRecovery()
  // The address stays, so the focus does not come here by itself.
  useEffect(() => view.current?.querySelector('h1')?.focus(), [])
  if (settings.opened?.kind === 'second-factor')
    return <Navigate to="/login?aal=aal2" replace state={{ after: '/recovery?step=password' }} />
  if (settings.opened?.kind === 'sign-in') return <Navigate to="/recovery" replace state={onward} />

  async function onSaved() {
    // Until the session is known to be recovered, every protected page leads back here.
    await refetch()
    await navigate(after, { replace: true, state: { recovered: true } })
    settings.forget()
  }

  return (
    <div ref={view} className="grid gap-6">
      <div className="grid gap-2">
        <PageHeading small>Choose a new password</PageHeading>
        <p className="text-muted">You're signed in. Your other devices have been signed out.</p>
      </div>
      <PasswordForm
        settings={settings}
        button={['Set new password', 'Saving…']}
        full
        onSaved={() => void onSaved()}
        onConfirm={() => 'That took a while. For your safety, please log out and ask for a new code.'}
      />
    </div>
  )
}

/** Fetched only here: the steps before are for visitors, and would send who is signed in away. */
function useSessionOfRecovery(): void {
  const { isAuthenticated, isLoading, refetch } = useAuth()
  const cache = useQueryClient()
  const isUnknown = useRef(!isAuthenticated && !isLoading)
  useEffect(() => {
    cache.removeQueries({ queryKey: ['flow', recoveryFlow.kind] })
    if (isUnknown.current) void refetch()
  }, [cache, refetch])
}
