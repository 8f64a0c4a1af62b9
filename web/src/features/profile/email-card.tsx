import type { SettingsFlow } from '@ory/client-fetch'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { SettingsUse } from '../../account/use-save.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { findVerificationFlow } from '../../flow/continue-with.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/card.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import { pendingAddress } from './pending-address.ts'

const EmailForm = lazyPart(async () => (await import('./email-form.tsx')).EmailForm)

const PendingEmail = lazyPart(async () => (await import('./pending-email.tsx')).PendingEmail)

interface EmailCardProps {
  settings: SettingsUse
  email: string | undefined
}

/** The address that the user signs in with, and the one that is to replace it. */
export function EmailCard({ settings, email }: EmailCardProps) {
  usePreload(EmailForm)
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const enterCode = useEnterCode(setStatus)
  const pending = settings.opened?.kind === 'flow' ? pendingAddress(settings.opened.flow) : undefined
  return (
    <Card
      title="Email"
      headingRef={ref}
      status={status}
      state={pending && <Badge tone="amber">Change pending</Badge>}
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
          {isOpen ? 'Cancel' : 'Change email'}
        </Button>
      }
    >
      <p className="wrap-anywhere">{email}</p>
      {pending && !isOpen && (
        <PendingEmail
          settings={settings}
          address={pending}
          enterCode={enterCode}
          onCancelled={() => {
            setStatus('Your email stays as it is.')
            focus()
          }}
        />
      )}
      {isOpen && (
        <EmailForm
          settings={settings}
          onSaved={(flow) => {
            setOpen(false)
            enterCode(flow)
          }}
        />
      )}
    </Card>
  )
}

/** Leads to where the code of a new address is entered; where none is asked for, the change is done. */
function useEnterCode(say: (words: string) => void) {
  const navigate = useNavigate()
  const { refetch } = useAuth()
  return (flow: SettingsFlow) => {
    const verification = findVerificationFlow(flow.continue_with ?? [])
    if (verification) return void navigate(`/verify?flow=${verification.id}`)
    say('Your email is changed.')
    void refetch()
  }
}
