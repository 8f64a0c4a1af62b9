import { recoveryFlow, settingsFlow, useAuth } from '@ostiary/react'
import { newPasskeyQuestion } from '@ostiary/react/internal'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Navigate } from 'react-router'
import { useContinueAfterLogin } from '../../auth/visitors-only.tsx'
import { useReturnTarget } from '../../flow/return-target.tsx'
import { useFlow } from '../../flow/use-flow.ts'
import { ConfirmContext } from '../../forms/settings/confirm.tsx'
import { PasswordForm } from '../../forms/settings/password-form.tsx'
import { ceremony, useAddPasskey } from '../../forms/settings/use-add-passkey.ts'
import type { SettingsUse } from '../../forms/settings/use-settings.ts'
import * as paths from '../../paths.ts'
import { ActionButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Divider } from '../../ui/form/form-parts.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { usePreload } from '../../ui/lazy-part.tsx'
import { Notice, PageIntro, usePageTitle } from '../../ui/page.tsx'
import { newPasswordTexts as texts } from './texts.ts'

/** The last step of a recovery. The user is logged in and sets a new credential. */
export function NewPassword() {
  const settings = useFlow(settingsFlow)
  const onward = useReturnTarget()
  const goOn = useContinueAfterLogin()
  const { refetch } = useAuth()
  const view = useRef<HTMLDivElement>(null)
  usePageTitle(texts.title)
  useSessionOfRecovery()
  // The path stays the same, so the focus does not move.
  useEffect(() => view.current?.querySelector('h1')?.focus(), [])
  if (settings.opened?.kind === 'second-factor')
    return <Navigate to={paths.secondFactor} replace state={{ after: paths.newPasswordFor(onward) }} />
  if (settings.opened?.kind === 'sign-in') return <Navigate to={paths.recovery} replace state={onward} />

  async function onSaved(recovered: 'password' | 'passkey') {
    // Protected pages redirect here until the session counts as recovered.
    await refetch()
    await goOn({ recovered })
    settings.forget()
  }

  return (
    <div ref={view} className="grid gap-6">
      <PageIntro title={texts.title} lead={texts.lead} />
      <ConfirmContext value={tooLate}>
        <PasswordForm settings={settings} button={texts.save} full onSaved={() => void onSaved('password')} />
        <PasskeyInstead settings={settings} onAdded={() => void onSaved('passkey')} />
      </ConfirmContext>
    </div>
  )
}

/** A passkey cannot be forgotten. */
function PasskeyInstead({ settings, onAdded }: { settings: SettingsUse; onAdded(): void }) {
  usePreload(ceremony)
  const adding = useAddPasskey(settings)
  const question = newPasskeyQuestion(settings.flow)
  if (!question) return null
  return (
    <div className="grid gap-3">
      <Divider>{texts.or}</Divider>
      <ActionButton
        look="neutral"
        full
        icon={<PasskeyIcon />}
        words={texts.passkey}
        isBusy={adding.isBusy}
        onClick={() => void adding.add(question).then((isAdded) => isAdded && onAdded())}
      />
      <FormError>{adding.error}</FormError>
      <Notice>{adding.notice}</Notice>
    </div>
  )
}

const tooLate = async () => texts.tooLate

/** Earlier steps are for visitors and redirect signed-in users, so they do not fetch it. */
function useSessionOfRecovery(): void {
  const { isAuthenticated, isLoading, refetch } = useAuth()
  const cache = useQueryClient()
  const isUnknown = useRef(!isAuthenticated && !isLoading)
  useEffect(() => {
    cache.removeQueries({ queryKey: ['flow', recoveryFlow.kind] })
    if (isUnknown.current) void refetch()
  }, [cache, refetch])
}
