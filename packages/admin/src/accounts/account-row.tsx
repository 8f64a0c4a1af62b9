import { Address, Badge, Time } from '@ostiary/ui'
import { Dotted, initialOf } from '@ostiary/ui/internal'
import { Link } from 'react-router'
import { type Account, givenName, nameOf } from '../records.ts'
import { accountsTexts as texts } from '../texts.ts'

interface AccountRowProps {
  account: Account
  isSelected: boolean
  onSelect(isSelected: boolean): void
}

export function AccountRow({ account, isSelected, onSelect }: AccountRowProps) {
  return (
    <li className="relative flex items-center gap-x-4 gap-y-2 px-4 max-sm:flex-wrap py-3 transition-colors hover:bg-tint sm:px-6">
      {/* Above the link, and large enough for a finger. */}
      <label className="relative z-1 -m-3.5 grid cursor-pointer p-3.5">
        <span className="sr-only">{texts.select(nameOf(account))}</span>
        <input
          type="checkbox"
          className="scroll-mt-32"
          checked={isSelected}
          onChange={({ target }) => onSelect(target.checked)}
        />
      </label>
      <span className="max-sm:hidden">
        <AccountDisc account={account} />
      </span>
      <div className="min-w-0 flex-1 max-sm:basis-3/4 max-[17rem]:basis-full">
        {/* The whole row is the link; times in it keep their hint. */}
        <Link
          to={`/accounts/${account.id}`}
          className="scroll-mt-32 font-medium after:absolute after:inset-0 -outline-offset-2"
        >
          <Address oneLine>{nameOf(account)}</Address>
        </Link>
        <div className="text-14 text-muted">
          <Dotted
            parts={[givenName(account), <Time key="created" words={texts.created} of={account.created_at} />]}
          />
        </div>
      </div>
      {/* On phones it is on a line of its own, under the address. */}
      <span className="has-[span:empty]:hidden max-sm:-mt-1 max-sm:basis-full max-sm:ps-8.5">
        <AccountState account={account} />
      </span>
    </li>
  )
}

export function AccountDisc({ account }: { account: Account }) {
  return (
    <span
      aria-hidden="true"
      translate="no"
      className="grid size-9 shrink-0 place-items-center rounded-round border border-line bg-tint text-14 font-semibold text-accent forced-colors:border-current"
    >
      {initialOf(givenName(account) ?? nameOf(account))}
    </span>
  )
}

export function AccountState({ account: { state, verifiable_addresses } }: { account: Account }) {
  const isUnverified = verifiable_addresses.some(({ verified }) => !verified)
  return (
    <span className="flex flex-wrap gap-2 empty:hidden sm:justify-end">
      {state !== 'active' && <Badge tone="attention">{texts.disabled}</Badge>}
      {isUnverified && <Badge>{texts.unverified}</Badge>}
    </span>
  )
}
