import { useAuth, useSettings } from '@ostiary/react'
import { hasPasskeys, offersPasskeys, useIsShown } from '@ostiary/react/internal'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useContinueAfterLogin } from '../../auth/visitors-only.tsx'
import { useFlowInUrl } from '../../flow/flow-in-url.ts'
import { useReturnTarget } from '../../flow/return-target.tsx'
import { PasswordForm } from '../../forms/settings/password-form.tsx'
import { useAddPasskey } from '../../forms/settings/use-add-passkey.ts'
import type { SettingsFlowForm } from '../../forms/settings/use-settings.ts'
import * as paths from '../../paths.ts'
import { ActionButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Divider } from '../../ui/form/form-parts.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { Notice, PageIntro, usePageTitle } from '../../ui/page.tsx'
import { newPasswordTexts as texts } from './texts.ts'

/** The last step of a recovery. The user is logged in and sets a new credential. */
export function NewPassword() {
  const onward = useReturnTarget()
  const goOn = useContinueAfterLogin()
  const navigate = useNavigate()
  const { refetch } = useAuth()
  const isShown = useIsShown()
  const [isTooLate, setTooLate] = useState(false)
  const settings = useSettings({
    ...useFlowInUrl(),
    onConfirm: async () => {
      setTooLate(true)
      return false
    },
    onNext: async ({ kind }) => {
      const after = paths.newPasswordFor(onward)
      if (kind === 'second-factor') await navigate(paths.secondFactor, { replace: true, state: { after } })
      if (kind === 'sign-in') await navigate(paths.recovery, { replace: true, state: onward })
    },
  })
  const view = useRef<HTMLDivElement>(null)
  usePageTitle(texts.title)
  // The path stays the same, so the focus does not move.
  useEffect(() => view.current?.querySelector('h1')?.focus(), [])

  async function onSaved(recovered: 'password' | 'passkey') {
    // Protected pages redirect here until the session counts as recovered.
    await refetch()
    if (isShown()) await goOn({ recovered })
    settings.forget()
  }

  return (
    <div ref={view} className="grid gap-6">
      <PageIntro title={texts.title} lead={texts.lead} />
      <PasswordForm settings={settings} button={texts.save} full onSaved={() => void onSaved('password')} />
      <PasskeyInstead settings={settings} onAdded={() => void onSaved('passkey')} />
      <FormError>{isTooLate ? texts.tooLate : undefined}</FormError>
    </div>
  )
}

/** A passkey cannot be forgotten. */
function PasskeyInstead({ settings, onAdded }: { settings: SettingsFlowForm; onAdded(): void }) {
  const adding = useAddPasskey(settings)
  if (!settings.flow || !hasPasskeys() || !offersPasskeys(settings.flow)) return null
  return (
    <div className="grid gap-3">
      <Divider>{texts.or}</Divider>
      <ActionButton
        look="neutral"
        full
        icon={<PasskeyIcon />}
        words={texts.passkey}
        isBusy={adding.isBusy}
        onClick={() => void adding.add().then((isAdded) => isAdded && onAdded())}
      />
      <FormError>{adding.error}</FormError>
      <Notice>{adding.notice}</Notice>
    </div>
  )
}
