import { Time } from '@ostiary/ui'
import { CopyButton } from '@ostiary/ui/internal'
import { useState } from 'react'
import type { Account } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'
import { ActionCard } from './action-card.tsx'
import { createRecoveryCode } from './change-account.ts'

const texts = adminAccountTexts.recovery

type Recovery = Awaited<ReturnType<typeof createRecoveryCode>>

export function RecoveryCard({ account: { id } }: { account: Account }) {
  const [created, setCreated] = useState<Recovery>()
  return (
    <ActionCard
      title={texts.title}
      fact={texts.text}
      button={texts.create}
      run={async () => setCreated(await createRecoveryCode(id))}
      done={texts.recorded}
    >
      {created && <Created recovery={created} />}
    </ActionCard>
  )
}

function Created({ recovery: { recovery_code, recovery_link, expires_at } }: { recovery: Recovery }) {
  return (
    <div className="grid gap-3 rounded-field bg-raised p-4 text-14 forced-colors:border">
      <p>
        <span className="text-muted">{texts.code}</span>
        <strong translate="no" className="block font-mono text-22 font-medium tracking-[0.2em] tabular-nums">
          {recovery_code}
        </strong>
      </p>
      <p>
        <span className="block text-muted">{texts.link}</span>
        <span translate="no">{recovery_link}</span>
      </p>
      <p className="text-muted">
        <Time words={texts.expires} of={expires_at} />
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={recovery_code}>{texts.copyCode}</CopyButton>
        <CopyButton text={recovery_link}>{texts.copyLink}</CopyButton>
      </div>
    </div>
  )
}
