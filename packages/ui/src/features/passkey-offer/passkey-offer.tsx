import { useAuth } from '@ostiary/react'
import { hasPasskeys, recall, remember } from '@ostiary/react/flows'
import { useState } from 'react'
import { readSettings } from '../../api/env.ts'
import { useKnownCredentials } from '../../forms/settings/known-credentials.ts'
import * as paths from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { passkeyOfferTexts as texts } from './texts.ts'

/** The account that declined the offer, or accepted it, in this browser. */
const DECLINED_BY = 'passkey-offer'

interface PasskeyOfferProps {
  isHeldBack: boolean
  /** While the page loads what is above. */
  isPending?: boolean
}

/**
 * Offers a first passkey after a login by other means. A user who declines is not asked again.
 *
 * @example <PasskeyOffer isHeldBack={useDueDate() !== null} />
 */
export function PasskeyOffer({ isHeldBack, isPending }: PasskeyOfferProps) {
  const { session } = useAuth()
  const id = session?.identity?.id
  const [isOpen, setOpen] = useState(() => id !== undefined && isOffered(id))
  const hasOne = session?.authentication_methods?.some(({ method }) => method === 'passkey')
  if (isHeldBack && isOpen) setOpen(false)
  if (!isOpen || isPending || hasOne || id === undefined) return null
  const close = () => {
    remember(DECLINED_BY, id)
    setOpen(false)
  }
  return <Offer onClose={close} />
}

function Offer({ onClose }: { onClose(): void }) {
  const { known } = useKnownCredentials()
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

function isOffered(identityId: string): boolean {
  const declinedBy = recall(DECLINED_BY)
  // A browser without storage would show the offer on every visit.
  return hasPasskeys() && declinedBy !== undefined && declinedBy !== identityId
}
