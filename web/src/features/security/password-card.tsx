import { useState } from 'react'
import type { SettingsUse } from '../../account/use-save.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'

const PasswordForm = lazyPart(async () => (await import('../../account/password-form.tsx')).PasswordForm)

interface PasswordCardProps {
  settings: SettingsUse
  /** Unknown where the identity service does not tell. */
  isSet: boolean | undefined
  onChanged(): void
}

/** Setting or changing the password, opened in place. */
export function PasswordCard({ settings, isSet, onChanged }: PasswordCardProps) {
  usePreload(PasswordForm)
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<string>()
  return (
    <Card
      title="Password"
      status={status}
      action={
        <Button
          look="neutral"
          small
          aria-expanded={isOpen}
          onClick={() => {
            setOpen(!isOpen)
            setStatus(undefined)
          }}
        >
          {isOpen ? 'Cancel' : isSet === false ? 'Set a password' : 'Change password'}
        </Button>
      }
    >
      {isOpen ? (
        <div className="grid gap-4">
          <p className="text-14 text-muted">
            Your other devices will be signed out. This one stays signed in.
          </p>
          <PasswordForm
            settings={settings}
            button={['Save password', 'Saving…']}
            onSaved={() => {
              setOpen(false)
              setStatus('Your new password is set. Your other devices have been signed out.')
              onChanged()
            }}
          />
        </div>
      ) : (
        isSet === false && (
          <p className="text-14 text-muted">You don’t have one: you sign in by other means.</p>
        )
      )}
    </Card>
  )
}
