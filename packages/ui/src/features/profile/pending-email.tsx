import type { SettingsFlow, VerificationFlow } from '@ory/client-fetch'
import { useVerification } from '@ostiary/react'
import { useQuery } from '@tanstack/react-query'
import { failureOf } from '../../flow/failures.ts'
import { CodeEntryForm, type CodeFailure, refusalOf, useCodeEntry } from '../../forms/code/code-entry.tsx'
import { codeTexts } from '../../forms/code/texts.ts'
import { findPendingFlow } from '../../forms/code/use-mailed-code.ts'
import { type SettingsFlowForm, useChange } from '../../forms/settings/use-settings.ts'
import { Address } from '../../ui/address.tsx'
import { ActionButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { profileTexts } from './texts.ts'

const texts = profileTexts.email

interface PendingEmailProps {
  settings: SettingsFlowForm
  address: string
  onSent(flow: SettingsFlow): void
  onChanged(): void
  onCancelled(): void
}

export function PendingEmail({ settings, address, onSent, onChanged, onCancelled }: PendingEmailProps) {
  const { change, pending, error } = useChange(settings)
  const verification = useVerification({ enabled: false })
  const { data: waiting } = useQuery({
    queryKey: ['waiting-code', address],
    queryFn: async () => (await findPendingFlow(verification, address)) ?? null,
  })

  async function send(value: 'resend' | 'cancel') {
    const result = await change({ method: 'profile', name: 'pending_address', value })
    if (result.kind !== 'saved') return
    if (value === 'resend') onSent(result.flow)
    else onCancelled()
  }

  return (
    <div className="grid gap-4">
      <p className="text-14 text-muted">
        <Address>{address}</Address> <span>{texts.pending}</span>
      </p>
      {waiting && <SentCode flow={waiting} onChanged={onChanged} />}
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-3">
        <ActionButton
          look={waiting ? 'neutral' : 'main'}
          small
          words={texts.resend}
          isBusy={pending?.value === 'resend'}
          onClick={() => void send('resend')}
        />
        <ActionButton
          look="neutral"
          small
          words={texts.keep}
          isBusy={pending?.value === 'cancel'}
          onClick={() => void send('cancel')}
        />
      </div>
    </div>
  )
}

/** For the code that is in the user's inbox already. */
function SentCode({ flow, onChanged }: { flow: VerificationFlow; onChanged(): void }) {
  const { empty, incomplete } = codeTexts
  const entry = useCodeEntry({ submit, empty, incomplete })
  const verification = useVerification({ enabled: false, onNext: onChanged })

  async function submit(code: string): Promise<CodeFailure | undefined> {
    const result = await verification.submit(
      { method: 'code' },
      { code },
      { on: flow, retryOnExpired: false },
    )
    if (result.kind !== 'form') return failureOf(result, texts.failed)
    return result.flow.state === 'passed_challenge'
      ? undefined
      : refusalOf(result.flow, 'code', code, texts.failed)
  }

  return (
    <div className="max-w-80">
      <CodeEntryForm entry={entry} id="code">
        <div>
          <ActionButton type="submit" small words={texts.confirm} isBusy={entry.isBusy} />
        </div>
      </CodeEntryForm>
    </div>
  )
}
