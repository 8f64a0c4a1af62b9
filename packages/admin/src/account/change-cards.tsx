import { Button, Card, FormError, Time } from '@ostiary/ui'
import { Confirmation, CopyButton, product, useDisclosure } from '@ostiary/ui/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { sentenceOf } from '../admin-screen.tsx'
import { type Account, nameOf } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'
import { ActionCard } from './action-card.tsx'
import { changeRole, createRecoveryCode, deleteAccount } from './change-account.ts'

const roleTexts = adminAccountTexts.roles

/** The product's roles, and stored ones that it no longer has. */
export function RolesCard({ account: { id, metadata_public } }: { account: Account }) {
  const cache = useQueryClient()
  const { asked, ask, say, close, cancel, openerOf, status, heading } = useDisclosure<string>()
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: ({ role, hasRole }: { role: string; hasRole: boolean }) =>
      changeRole(id, role, hasRole ? 'remove' : 'add'),
    onSuccess: (_, { role, hasRole }) =>
      hasRole ? say(roleTexts.removed(role)) : close(roleTexts.added(role)),
    onSettled: () => cache.invalidateQueries({ queryKey: ['account'] }),
  })
  const roles = [...new Set<string>([...product().roles, ...metadata_public.roles])]
  if (roles.length === 0) return null
  const problem = error && sentenceOf(error)
  return (
    <Card title={roleTexts.title} status={status} headingRef={heading.ref}>
      <ul className="grid gap-2 text-14">
        {roles.map((role) => {
          const hasRole = metadata_public.roles.includes(role)
          const busy = isPending && variables.role === role ? roleTexts.saving : undefined
          const change = () => {
            reset()
            if (hasRole) mutate({ role, hasRole })
            else ask(role)
          }
          return (
            <li key={role} className="flex flex-wrap items-center justify-between gap-x-3">
              <span className={hasRole ? 'font-medium' : 'text-muted'}>{role}</span>
              {asked !== role && (
                <Button ref={openerOf(role)} look="neutral" small busy={busy} onClick={change}>
                  {hasRole ? roleTexts.remove(role) : roleTexts.add(role)}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {asked === undefined ? (
        <FormError>{problem}</FormError>
      ) : (
        <Confirmation
          key={asked}
          question={roleTexts.ask(asked)}
          button={[roleTexts.add(asked), roleTexts.saving]}
          isBusy={isPending}
          error={problem}
          onConfirm={() => mutate({ role: asked, hasRole: false })}
          onCancel={cancel}
        >
          <p>{roleTexts.consequence}</p>
        </Confirmation>
      )}
    </Card>
  )
}

const recoveryTexts = adminAccountTexts.recovery

type Recovery = Awaited<ReturnType<typeof createRecoveryCode>>

export function RecoveryCard({ account: { id } }: { account: Account }) {
  const [recovery, setRecovery] = useState<Recovery>()
  return (
    <ActionCard
      title={recoveryTexts.title}
      fact={recoveryTexts.text}
      button={recoveryTexts.create}
      run={async () => setRecovery(await createRecoveryCode(id))}
      done={recoveryTexts.recorded}
    >
      {recovery && <Created recovery={recovery} />}
    </ActionCard>
  )
}

function Created({ recovery: { recovery_code, recovery_link, expires_at } }: { recovery: Recovery }) {
  return (
    <div className="grid gap-3 rounded-field bg-raised p-4 text-14 forced-colors:border">
      <p>
        <span className="text-muted">{recoveryTexts.code}</span>
        <strong translate="no" className="block font-mono text-22 font-medium tracking-[0.2em] tabular-nums">
          {recovery_code}
        </strong>
      </p>
      <p>
        <span className="block text-muted">{recoveryTexts.link}</span>
        <span translate="no">{recovery_link}</span>
      </p>
      <p className="text-muted">
        <Time words={recoveryTexts.expires} of={expires_at} />
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={recovery_code}>{recoveryTexts.copyCode}</CopyButton>
        <CopyButton text={recovery_link}>{recoveryTexts.copyLink}</CopyButton>
      </div>
    </div>
  )
}

const deletionTexts = adminAccountTexts.deletion

export function DeletionCard({ account }: { account: Account }) {
  const navigate = useNavigate()
  const name = nameOf(account)
  return (
    <ActionCard
      fact={deletionTexts.text}
      title={deletionTexts.title}
      button={deletionTexts.button}
      question={{ ask: deletionTexts.ask(name), consequence: deletionTexts.consequence, isFinal: true }}
      run={() => deleteAccount(account.id)}
      onDone={() => navigate('/accounts', { state: { deleted: deletionTexts.deleted(name) } })}
    />
  )
}
