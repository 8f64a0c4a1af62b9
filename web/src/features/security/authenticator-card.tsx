import type { SettingsFlow } from '@ory/client-fetch'
import { useState } from 'react'
import type { SettingsUse } from '../../account/use-save.ts'
import { findInput } from '../../flow/inputs.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/card.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'

const AuthenticatorSetUp = lazyPart(
  async () => (await import('./authenticator-set-up.tsx')).AuthenticatorSetUp,
)

const RemoveAuthenticator = lazyPart(
  async () => (await import('./remove-authenticator.tsx')).RemoveAuthenticator,
)

interface AuthenticatorCardProps {
  settings: SettingsUse
  flow: SettingsFlow
  onSetUp(): void
}

/** An app that shows codes, as the second step of signing in. */
export function AuthenticatorCard({ settings, flow, onSetUp }: AuthenticatorCardProps) {
  usePreload(AuthenticatorSetUp, RemoveAuthenticator)
  const isOn = findInput(flow, 'totp_unlink') !== undefined
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()

  function finish(words: string) {
    setOpen(false)
    setStatus(words)
    focus()
  }

  return (
    <Card
      title="Authenticator app"
      headingRef={ref}
      state={<Badge tone={isOn ? 'done' : 'plain'}>{isOn ? 'On' : 'Off'}</Badge>}
      status={status}
      action={
        !isOpen && (
          <Button
            look="neutral"
            small
            onClick={() => {
              setOpen(true)
              setStatus(undefined)
            }}
          >
            {isOn ? 'Remove' : 'Set up'}
            <span className="sr-only"> the authenticator app</span>
          </Button>
        )
      }
    >
      {!isOpen && (
        <p className="text-14 text-muted">
          {isOn
            ? 'Signing in asks for a code from your app after the first step.'
            : 'Add a second step to signing in: a six-digit code from an app such as 1Password, Google Authenticator or Aegis.'}
        </p>
      )}
      {isOpen && isOn && (
        <RemoveAuthenticator
          settings={settings}
          onCancel={() => {
            setOpen(false)
            focus()
          }}
          onRemoved={() => finish('Your authenticator app is removed.')}
        />
      )}
      {isOpen && !isOn && (
        <AuthenticatorSetUp
          settings={settings}
          flow={flow}
          onCancel={() => {
            setOpen(false)
            focus()
          }}
          onSaved={() => {
            finish('Your authenticator app is set up.')
            onSetUp()
          }}
        />
      )}
    </Card>
  )
}
