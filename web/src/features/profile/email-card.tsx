import type { SettingsFlow, UpdateSettingsFlowBody } from '@ory/client-fetch'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { findVerificationFlow } from '../../flow/continue-with.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import { pendingAddress } from './pending-address.ts'

const EmailForm = lazyPart(async () => (await import('./email-form.tsx')).EmailForm)

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
        <Pending
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

interface PendingProps {
  settings: SettingsUse
  address: string
  enterCode(flow: SettingsFlow): void
  onCancelled(): void
}

function Pending({ settings, address, enterCode, onCancelled }: PendingProps) {
  const save = useSave(settings)
  const [busy, setBusy] = useState<'resend' | 'cancel'>()
  const [error, setError] = useState<string>()

  async function send(pending_address: 'resend' | 'cancel') {
    setBusy(pending_address)
    setError(undefined)
    const body = { method: 'profile', pending_address }
    const result = await save({
      field: 'pending_address',
      build: (csrf_token) => ({ ...body, csrf_token }) as unknown as UpdateSettingsFlowBody,
    })
    setBusy(undefined)
    if (result.kind === 'failed') setError(result.message)
    if (result.kind !== 'saved') return
    if (pending_address === 'resend') enterCode(result.flow)
    else onCancelled()
  }

  return (
    <div className="grid gap-3">
      <p className="text-14 text-muted">
        <strong className="font-medium wrap-anywhere text-ink">{address}</strong> replaces it once you enter
        the code that we send there.
      </p>
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button small busy={busy === 'resend' ? 'Sending…' : undefined} onClick={() => void send('resend')}>
          Send a new code
        </Button>
        <Button
          look="neutral"
          small
          busy={busy === 'cancel' ? 'One moment…' : undefined}
          onClick={() => void send('cancel')}
        >
          Keep my email
        </Button>
      </div>
    </div>
  )
}
