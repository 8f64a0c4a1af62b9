import type { SettingsFlow, UpdateSettingsFlowBody, VerificationFlow } from '@ory/client-fetch'
import { verificationFlow } from '@ostiary/react'
import { getCsrfToken, tellOtherTabs, useFlowCalls } from '@ostiary/react/internal'
import { useQuery } from '@tanstack/react-query'
import { failureOf } from '../../flow/failures.ts'
import { CodeEntryForm, useCodeEntry } from '../../forms/code/code-entry.tsx'
import { codeTexts } from '../../forms/code/texts.ts'
import { type CodeFailure, findWaiting, refusalOf } from '../../forms/code/use-mailed-code.ts'
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
  onChanged(): void
  onCancelled(): void
}

export function PendingEmail({ settings, address, onSent, onChanged, onCancelled }: PendingEmailProps) {
  const { change, busy, error } = useChange<'resend' | 'cancel'>(settings)
  const verification = useFlowCalls(verificationFlow)
  const { data: waiting } = useQuery({
    queryKey: ['waiting-code', address],
    queryFn: async () => (await findWaiting(verification, address)) ?? null,
  })

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

/** For the code that is in the user's inbox already. */
function SentCode({ flow, onChanged }: { flow: VerificationFlow; onChanged(): void }) {
  const { empty, incomplete } = codeTexts
  const entry = useCodeEntry({ submit, empty, incomplete })
  const verification = useFlowCalls(verificationFlow)

  async function submit(code: string): Promise<CodeFailure | undefined> {
    const csrf_token = getCsrfToken(flow)
    const reply = await verification.send(flow, { method: 'code', code, csrf_token })
    if (reply.kind !== 'form') return failureOf(reply, texts.failed)
    if (reply.flow.state !== 'passed_challenge') return refusalOf(reply.flow, 'code', code, texts.failed)
    tellOtherTabs({ kind: 'verified', flow_id: flow.id })
    onChanged()
    return undefined
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
