import type { ReactNode } from 'react'
import { adminAccountTexts } from '../../texts/admin.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Time } from '../../ui/time.tsx'
import type { Account } from '../records.ts'
import { ActionCard } from './action-card.tsx'
import { disable, enable } from './change-account.ts'

const texts = adminAccountTexts.details
const disabling = adminAccountTexts.disabling

/** What the account is, and whether its user may sign in. */
export function DetailsCard({ account: { id, state, created_at, updated_at } }: { account: Account }) {
  const isActive = state === 'active'
  const action = isActive
    ? { button: disabling.disable, question: disabling, run: () => disable(id), done: disabling.disabled }
    : { button: disabling.enable, run: () => enable(id), done: disabling.enabled }
  return (
    <ActionCard title={texts.title} {...action}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-14">
        <Line name={texts.state}>{isActive ? texts.active : texts.disabled}</Line>
        <Line name={texts.created}>
          <Time of={created_at} />
        </Line>
        <Line name={texts.updated}>
          <Time of={updated_at} />
        </Line>
        <Line name={texts.id}>
          <span className="font-mono">{id}</span>
        </Line>
      </dl>
      <div>
        <CopyButton text={id}>{adminAccountTexts.copyId}</CopyButton>
      </div>
    </ActionCard>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-end wrap-anywhere">{children}</dd>
    </>
  )
}
