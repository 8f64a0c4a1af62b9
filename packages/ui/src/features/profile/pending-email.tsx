import type { SettingsFlow, UpdateSettingsFlowBody } from '@ory/client-fetch'
import { type SettingsUse, useChange } from '../../forms/settings/use-settings.ts'
import { Address } from '../../ui/address.tsx'
import { ActionButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { profileTexts } from './texts.ts'

const texts = profileTexts.email

interface PendingEmailProps {
  settings: SettingsUse
  address: string
  onSent(flow: SettingsFlow): void
  onCancelled(): void
}

export function PendingEmail({ settings, address, onSent, onCancelled }: PendingEmailProps) {
  const { change, busy, error } = useChange<'resend' | 'cancel'>(settings)

  async function send(pending_address: 'resend' | 'cancel') {
    const body = { method: 'profile', pending_address }
    const result = await change(pending_address, {
      field: 'pending_address',
      build: (csrf_token) => ({ ...body, csrf_token }) as unknown as UpdateSettingsFlowBody,
    })
    if (result.kind !== 'saved') return
    if (pending_address === 'resend') onSent(result.flow)
    else onCancelled()
  }

  return (
    <div className="grid gap-3">
      <p className="text-14 text-muted">
        <Address>{address}</Address> <span>{texts.pending}</span>
      </p>
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-3">
        <ActionButton
          small
          words={texts.resend}
          isBusy={busy === 'resend'}
          onClick={() => void send('resend')}
        />
        <ActionButton
          look="neutral"
          small
          words={texts.keep}
          isBusy={busy === 'cancel'}
          onClick={() => void send('cancel')}
        />
      </div>
    </div>
  )
}
