import { adminAccountTexts } from '../../texts/admin.ts'
import { Badge } from '../../ui/card.tsx'
import type { Account } from '../records.ts'
import { ActionCard } from './action-card.tsx'
import { resendVerification } from './change-account.ts'

const texts = adminAccountTexts.addresses

/** The addresses of an account, and a new code for the first that is not verified. */
export function AddressesCard({ account: { id, verifiable_addresses } }: { account: Account }) {
  const pending = verifiable_addresses.find(({ verified }) => !verified)
  return (
    <ActionCard
      title={texts.title}
      button={pending && texts.resend}
      run={() => resendVerification(id)}
      done={texts.sent(pending?.value ?? '')}
    >
      {verifiable_addresses.length === 0 && <p className="text-14 text-muted">{texts.none}</p>}
      <ul className="grid gap-2 text-14">
        {verifiable_addresses.map(({ id, value, verified }) => (
          <li key={id} className="flex items-start justify-between gap-3">
            <span className="min-w-0 flex-1 wrap-anywhere">{value}</span>
            <Badge tone={verified ? 'done' : 'plain'}>{verified ? texts.verified : texts.unverified}</Badge>
          </li>
        ))}
      </ul>
    </ActionCard>
  )
}
