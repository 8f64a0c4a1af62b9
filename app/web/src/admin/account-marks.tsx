import { accountsTexts as texts } from '../texts/admin.ts'
import { Badge } from '../ui/card.tsx'
import { type Account, nameOf } from './records.ts'

/** The first letter of an account in a disc. */
export function AccountDisc({ account }: { account: Account }) {
  const [first] = new Intl.Segmenter().segment(account.traits.name || nameOf(account))
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center rounded-round border border-line bg-tint text-14 font-semibold text-accent forced-colors:border-current"
    >
      {first?.segment.toLocaleUpperCase()}
    </span>
  )
}

/** What is unusual about an account, if anything. */
export function AccountState({ account: { state, verifiable_addresses } }: { account: Account }) {
  const isUnverified = verifiable_addresses.some(({ verified }) => !verified)
  return (
    <span className="flex flex-wrap justify-end gap-2 empty:hidden">
      {state !== 'active' && <Badge tone="amber">{texts.disabled}</Badge>}
      {isUnverified && <Badge>{texts.unverified}</Badge>}
    </span>
  )
}
