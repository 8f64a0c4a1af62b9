import { Link } from 'react-router'
import { accountsTexts as texts } from '../../texts/admin.ts'
import { Dotted } from '../../ui/dotted.tsx'
import { Time } from '../../ui/time.tsx'
import { AccountDisc, AccountState } from '../account-marks.tsx'
import { type Account, nameOf } from '../records.ts'

export function AccountRow({ account }: { account: Account }) {
  return (
    <li className="relative flex items-center gap-4 px-4 py-3 transition-colors hover:bg-tint sm:px-6">
      <AccountDisc account={account} />
      <div className="min-w-0 flex-1">
        {/* The whole row is the link; times in it keep their hint. */}
        <Link
          to={`/accounts/${account.id}`}
          className="font-medium wrap-anywhere after:absolute after:inset-0 -outline-offset-2"
        >
          {nameOf(account)}
        </Link>
        <div className="text-14 text-muted">
          <Dotted
            parts={[
              account.traits.name,
              <Time key="created" words={texts.created} of={account.created_at} />,
            ]}
          />
        </div>
      </div>
      <AccountState account={account} />
    </li>
  )
}
