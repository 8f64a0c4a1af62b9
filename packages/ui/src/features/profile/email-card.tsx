import type { SettingsFlow } from '@ory/client-fetch'
import { useAuth } from '@ostiary/react'
import {
  findVerificationId,
  recallPendingFlow,
  rememberPendingFlow,
  useIsShown,
} from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useNavigate } from 'react-router'
import { ExpandableCard } from '../../forms/settings/expandable-card.tsx'
import type { SettingsFlowForm } from '../../forms/settings/use-settings.ts'
import * as paths from '../../paths.ts'
import { Address } from '../../ui/address.tsx'
import { Badge } from '../../ui/card.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { profileTexts } from './texts.ts'

const EmailForm = lazyPart(async () => (await import('./trait-forms.tsx')).EmailForm, 'h-32')
const PendingEmail = lazyPart(async () => (await import('./pending-email.tsx')).PendingEmail, 'h-23 sm:h-18')
const texts = profileTexts.email
/** The kind of flow. Its calls are heavier than this page. */
const VERIFICATION = 'verification'

interface EmailCardProps {
  settings: SettingsFlowForm
  email: string | undefined
}

export function EmailCard({ settings, email }: EmailCardProps) {
  usePreload(EmailForm)
  const enterCode = useEnterCode()
  const { refetch } = useAuth()
  const pending = settings.flow && pendingAddress(settings.flow)
  // Before the answer, so that the cards below stay where they are.
  const expects = Boolean(recallPendingFlow(VERIFICATION)) && (pending !== undefined || !settings.flow)
  return (
    <ExpandableCard
      title={texts.title}
      field="traits.email"
      state={pending && <Badge tone="attention">{texts.isPending}</Badge>}
      fact={email && <Address plain>{email}</Address>}
      button={texts.change}
      of={texts.what}
      opened={(close) => (
        <EmailForm settings={settings} onSaved={(flow) => enterCode(flow, close)} onCancel={() => close()} />
      )}
    >
      {(close) =>
        (pending || expects) && (
          <div className={expects ? 'min-h-58 sm:min-h-53' : undefined}>
            {pending && (
              <PendingEmail
                settings={settings}
                address={pending}
                onSent={(flow) => enterCode(flow, close)}
                onChanged={async () => {
                  await Promise.all([refetch(), settings.open()])
                  end(close, texts.changed)
                }}
                onCancelled={() => end(close, texts.kept)}
              />
            )}
          </div>
        )
      }
    </ExpandableCard>
  )
}

/** Opens the page for the code of the new address. Without a verification the change is done. */
function useEnterCode() {
  const navigate = useNavigate()
  const { refetch } = useAuth()
  const isShown = useIsShown()
  return (flow: SettingsFlow, close: (words?: string) => void) => {
    const verification = findVerificationId(flow.continue_with ?? [])
    close(verification ? undefined : texts.changed)
    if (!verification) return void refetch()
    rememberPendingFlow(VERIFICATION, verification)
    if (isShown()) void navigate(paths.verification(verification))
  }
}

function end(close: (words: string) => void, words: string): void {
  rememberPendingFlow(VERIFICATION, null)
  close(words)
}

function pendingAddress({ ui }: SettingsFlow): string | undefined {
  const message = ui.nodes
    .flatMap(({ messages }) => messages)
    .find(({ id }) => id === messageIds.addressPending)
  const { address } = (message?.context ?? {}) as { address?: string }
  return address
}
