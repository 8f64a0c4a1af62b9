import { useState } from 'react'
import type { SettingsUse } from '../../account/use-save.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'

const EmailForm = lazyPart(async () => (await import('./email-form.tsx')).EmailForm)

interface EmailCardProps {
  settings: SettingsUse
  email: string | undefined
}

/** The address that the user signs in with. */
export function EmailCard({ settings, email }: EmailCardProps) {
  usePreload(EmailForm)
  const { refetch } = useAuth()
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<string>()
  return (
    <Card
      title="Email"
      status={status}
      action={
        <Button look="neutral" small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Cancel' : 'Change email'}
        </Button>
      }
    >
      <p className="wrap-anywhere">{email}</p>
      {isOpen && (
        <EmailForm
          settings={settings}
          onSaved={() => {
            setOpen(false)
            setStatus('Your email is changed.')
            void refetch()
          }}
        />
      )}
    </Card>
  )
}
