import { useAuth } from '@ostiary/react'
import { hasPasskeys, recall, remember } from '@ostiary/react/internal'
import { lazy, Suspense, useState } from 'react'

/** Lazy, because most visits make no offer. The page is complete without it. */
const Offer = lazy(async () => {
  const module = await import('./offer-card.tsx').catch(() => undefined)
  return { default: module?.OfferCard ?? (() => null) }
})

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
 * @example <PasskeyOffer isHeldBack={useScheduledDeletion() !== null} />
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
  return (
    <Suspense>
      <Offer onClose={close} />
    </Suspense>
  )
}

function isOffered(identityId: string): boolean {
  const declinedBy = recall(DECLINED_BY)
  // A browser without storage would show the offer on every visit.
  return hasPasskeys() && declinedBy !== undefined && declinedBy !== identityId
}
