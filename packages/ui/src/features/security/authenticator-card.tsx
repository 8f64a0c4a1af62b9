import type { SettingsFlow } from '@ory/client-fetch'
import { useCredentialDetails } from '../../forms/settings/credential-details.ts'
import { ExpandableCard } from '../../forms/settings/expandable-card.tsx'
import type { SettingsFlowForm } from '../../forms/settings/use-settings.ts'
import { Badge } from '../../ui/card.tsx'
import { Time } from '../../ui/format.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { securityTexts } from './texts.ts'

const AuthenticatorSetUp = lazyPart(
  async () => (await import('./authenticator-forms.tsx')).AuthenticatorSetUp,
  'h-138 sm:h-97',
)
const RemoveAuthenticator = lazyPart(
  async () => (await import('./authenticator-forms.tsx')).RemoveAuthenticator,
  'h-40 sm:h-34',
)
const texts = securityTexts.authenticator

interface AuthenticatorCardProps {
  settings: SettingsFlowForm
  flow: SettingsFlow
  isOn: boolean
  hasCodes: boolean
  onSetUp(): void
}

export function AuthenticatorCard({ settings, flow, isOn, hasCodes, onSetUp }: AuthenticatorCardProps) {
  usePreload(AuthenticatorSetUp, RemoveAuthenticator)
  const { known, refresh } = useCredentialDetails()
  const since = known?.totp?.created_at
  return (
    <ExpandableCard
      title={texts.title}
      state={<Badge tone={isOn ? 'done' : 'plain'}>{isOn ? texts.on : texts.off}</Badge>}
      fact={isOn ? since && <Time words={texts.since} of={since} /> : texts.isOff}
      button={isOn ? texts.remove : texts.setUp}
      of={texts.app}
      opened={(close) =>
        isOn ? (
          <RemoveAuthenticator
            settings={settings}
            hasCodes={hasCodes}
            onCancel={() => close()}
            onRemoved={() => {
              close(hasCodes ? texts.removedWithCodes : texts.removed)
              refresh()
            }}
          />
        ) : (
          <AuthenticatorSetUp
            settings={settings}
            flow={flow}
            onCancel={() => close()}
            onSaved={() => {
              close(texts.ready)
              refresh()
              onSetUp()
            }}
          />
        )
      }
    />
  )
}
