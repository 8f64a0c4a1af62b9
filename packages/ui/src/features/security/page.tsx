import { findInput, isSaved } from '@ostiary/react/internal'
import { useSearchParams } from 'react-router'
import { useCredentialDetails } from '../../forms/settings/credential-details.ts'
import { useAccountSettings } from '../../forms/settings/use-settings.ts'
import { failureTexts } from '../../texts/failures.ts'
import { Badge, CardButton, type Outline, OutlineSkeleton } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Notice } from '../../ui/page.tsx'
import { AuthenticatorCard } from './authenticator-card.tsx'
import { BackupCodesCard, useBackupCodes } from './backup-codes-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SecuritySummary, UsualSummary } from './security-summary.tsx'
import { securityTexts } from './texts.ts'

export function outline(): Outline {
  const { passkeys, password, authenticator, backupCodes } = securityTexts
  const off = (texts: { off: string }) => <Badge>{texts.off}</Badge>
  const button = (words: string) => <CardButton>{words}</CardButton>
  return {
    lead: (
      <p>
        <UsualSummary />
      </p>
    ),
    entries: [
      { title: passkeys.title, fact: passkeys.why, action: button(passkeys.add[0]) },
      { title: password.title, fact: password.original, action: button(password.change[0]) },
      {
        title: authenticator.title,
        state: off(authenticator),
        fact: authenticator.isOff,
        action: button(authenticator.setUp),
      },
      { title: backupCodes.title, state: off(backupCodes), fact: backupCodes.needsApp },
    ],
  }
}

export function Screen() {
  const settings = useAccountSettings()
  const [search] = useSearchParams()
  // For the cards, requested together with the flow.
  useCredentialDetails()
  const codes = useBackupCodes(settings)
  const { flow } = settings
  if (!flow) {
    return settings.isUnreachable ? (
      <FormError retry={() => void settings.open()}>{failureTexts.unreachable}</FormError>
    ) : (
      <OutlineSkeleton {...outline()} />
    )
  }
  const has = (name: string) => findInput(flow, name) !== undefined
  const isAppOn = has('totp_unlink')
  const hasApp = isAppOn || has('totp_code')
  const hasCodes = flow.ui.nodes.some(({ group }) => group === 'lookup_secret')
  const isCodesOn = has('lookup_secret_reveal') || has('lookup_secret_disable')
  const hasPasskeys = flow.ui.nodes.some(({ group }) => group === 'passkey')
  const isCarriedOut = search.has('flow') && isSaved(flow)
  return (
    <>
      <SecuritySummary offers={{ passkeys: hasPasskeys, app: hasApp }} />
      {isCarriedOut && <Notice tone="done">{securityTexts.carriedOut}</Notice>}
      {hasPasskeys && <PasskeysCard settings={settings} flow={flow} />}
      {has('password') && <PasswordCard settings={settings} />}
      {hasApp && (
        <AuthenticatorCard
          settings={settings}
          flow={flow}
          isOn={isAppOn}
          hasCodes={isCodesOn}
          onSetUp={() => hasCodes && !isCodesOn && void codes.run('regenerate')}
        />
      )}
      {hasCodes && <BackupCodesCard flow={flow} isOn={isCodesOn} isAppOn={isAppOn} change={codes} />}
    </>
  )
}
