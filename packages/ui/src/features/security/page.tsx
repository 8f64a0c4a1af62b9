import { findInput, isSaved } from '@ostiary/react/flows'
import { useSearchParams } from 'react-router'
import { useKnownCredentials } from '../../forms/settings/known-credentials.ts'
import { useSettings } from '../../forms/settings/use-settings.ts'
import { failureTexts } from '../../texts/failures.ts'
import { Skeleton } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Notice } from '../../ui/page.tsx'
import { AuthenticatorCard } from './authenticator-card.tsx'
import { BackupCodesCard, useBackupCodes } from './backup-codes-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SecuritySummary } from './security-summary.tsx'
import { securityTexts } from './texts.ts'

export function Screen() {
  const settings = useSettings()
  const [search] = useSearchParams()
  const { known, refresh } = useKnownCredentials()
  const codes = useBackupCodes(settings, refresh)
  const { flow } = settings
  if (!flow) {
    return settings.isUnreachable ? (
      <FormError retry={() => void settings.open()}>{failureTexts.unreachable}</FormError>
    ) : (
      <Skeleton heights={['h-28', 'h-24', 'h-28', 'h-28']} />
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
      <SecuritySummary known={known} offers={{ passkeys: hasPasskeys, app: hasApp }} />
      {isCarriedOut && <Notice tone="done">{securityTexts.carriedOut}</Notice>}
      {hasPasskeys && <PasskeysCard settings={settings} flow={flow} known={known} onChanged={refresh} />}
      {has('password') && <PasswordCard settings={settings} known={known} onChanged={refresh} />}
      {hasApp && (
        <AuthenticatorCard
          settings={settings}
          flow={flow}
          isOn={isAppOn}
          since={known?.totp?.created_at}
          hasCodes={isCodesOn}
          onRemoved={refresh}
          onSetUp={() => {
            refresh()
            if (hasCodes && !isCodesOn) void codes.run('regenerate')
          }}
        />
      )}
      {hasCodes && (
        <BackupCodesCard
          flow={flow}
          remaining={known?.backup_codes?.left}
          isOn={isCodesOn}
          isAppOn={isAppOn}
          change={codes}
        />
      )}
    </>
  )
}
