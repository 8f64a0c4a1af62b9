import { useState } from 'react'
import { SaveForm } from '../../account/save-form.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { credentialsSchema } from '../../flow/credentials-schema.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmailField } from '../../ui/email-field.tsx'

interface EmailCardProps {
  settings: SettingsUse
  email: string | undefined
}

/** The address that the user signs in with. */
export function EmailCard({ settings, email }: EmailCardProps) {
  const { refetch } = useAuth()
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<string>()
  const flow = settings.opened?.kind === 'flow' ? settings.opened.flow : undefined
  const traits = flow?.identity.traits as Record<string, unknown> | undefined
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
        <SaveForm
          settings={settings}
          field="traits.email"
          button={['Send me a code', 'Sending…']}
          rule={credentialsSchema.shape.email}
          build={(value, csrf_token) => ({
            method: 'profile',
            traits: { ...traits, email: value },
            csrf_token,
          })}
          onSaved={() => {
            setOpen(false)
            setStatus('Your email is changed.')
            void refetch()
          }}
        >
          {(form, error) => <EmailField {...form.field('value')} label="New email" error={error} autoFocus />}
        </SaveForm>
      )}
    </Card>
  )
}
