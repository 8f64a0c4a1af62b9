import type { SettingsFlow } from '@ory/client-fetch'
import { useNavigate } from 'react-router'
import { OpeningCard } from '../../account/opening-card.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { findVerificationId } from '../../flow/continue-with.ts'
import * as paths from '../../paths.ts'
import { profileTexts } from '../../texts/profile.ts'
import { Badge } from '../../ui/card.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { pendingAddress } from './pending-address.ts'

const EmailForm = lazyPart(async () => (await import('./email-form.tsx')).EmailForm)
const PendingEmail = lazyPart(async () => (await import('./pending-email.tsx')).PendingEmail)
const texts = profileTexts.email

interface EmailCardProps {
  settings: SettingsUse
  email: string | undefined
}

/** The user's address, and the pending one that will replace it. */
export function EmailCard({ settings, email }: EmailCardProps) {
  usePreload(EmailForm)
  const enterCode = useEnterCode()
  const pending = settings.flow && pendingAddress(settings.flow)
  const present = <p className="wrap-anywhere">{email}</p>
  return (
    <OpeningCard
      title={texts.title}
      field="traits.email"
      state={pending && <Badge tone="amber">{texts.isPending}</Badge>}
      button={texts.change}
      opened={(close) => (
        <>
          {present}
          <EmailForm
            settings={settings}
            onSaved={(flow) => enterCode(flow, close)}
            onCancel={() => close()}
          />
        </>
      )}
    >
      {(close) => (
        <>
          {present}
          {pending && (
            <PendingEmail
              settings={settings}
              address={pending}
              onSent={(flow) => enterCode(flow, close)}
              onCancelled={() => close(texts.kept)}
            />
          )}
        </>
      )}
    </OpeningCard>
  )
}

/** Navigates to the page that asks for the new address' code; without one the change is done. */
function useEnterCode() {
  const navigate = useNavigate()
  const { refetch } = useAuth()
  return (flow: SettingsFlow, close: (words?: string) => void) => {
    const verification = findVerificationId(flow.continue_with ?? [])
    close(verification ? undefined : texts.changed)
    if (verification) return void navigate(paths.verification(verification))
    void refetch()
  }
}
