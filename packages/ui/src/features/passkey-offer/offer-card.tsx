import { readSettings } from '../../api/env.ts'
import { useCredentialDetails } from '../../forms/settings/credential-details.ts'
import * as paths from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { passkeyOfferTexts as texts } from './texts.ts'

/** For accounts without a passkey. */
export function OfferCard({ onClose }: { onClose(): void }) {
  const { known } = useCredentialDetails()
  // Another identity service does not list passkeys.
  if (readSettings().account_api && known?.passkeys.length !== 0) return null
  return (
    <div className="mt-8 flex items-start gap-4 rounded-card border border-line bg-surface p-4 sm:px-6 md:items-center">
      <span className="rounded-field bg-tint p-2.5 text-accent max-[24rem]:hidden">
        <PasskeyIcon />
      </span>
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 grow basis-60">
          <p className="font-medium">{texts.heading}</p>
          <p className="text-14 text-muted">{texts.text}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <ButtonLink to={paths.security} look="neutral" small onClick={onClose}>
            {texts.add}
          </ButtonLink>
          <Button look="quiet" small onClick={onClose}>
            {texts.dismiss}
          </Button>
        </div>
      </div>
    </div>
  )
}
