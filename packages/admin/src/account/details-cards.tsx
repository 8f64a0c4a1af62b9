import { readableAddresses } from '@ostiary/identity/input/readable-address'
import { Address, Badge, Card, formatDay, Time } from '@ostiary/ui'
import { CopyButton, product } from '@ostiary/ui/internal'
import type { ReactNode } from 'react'
import type { Account } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'
import { ActionCard } from './action-card.tsx'
import {
  disableAccount,
  enableAccount,
  removeSecondStep,
  resendVerification,
  SECOND_STEPS,
} from './change-account.ts'

const texts = adminAccountTexts.details
const disabling = adminAccountTexts.disabling

export function DetailsCard({ account: { id, state, created_at, updated_at } }: { account: Account }) {
  const isActive = state === 'active'
  const action = isActive
    ? {
        button: disabling.disable,
        question: disabling,
        run: () => disableAccount(id),
        done: disabling.disabled,
      }
    : { button: disabling.enable, run: () => enableAccount(id), done: disabling.enabled }
  return (
    <ActionCard title={texts.title} {...action}>
      <dl className={lines}>
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

const lines = 'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-14'

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-end">{children}</dd>
    </>
  )
}

const traitTexts = adminAccountTexts.traits

/** The account's traits in schema order, except the email. */
export function TraitsCard({ account: { traits } }: { account: Account }) {
  const knownTraits = product().traits
  const names = Object.keys({ ...knownTraits, ...traits }).filter(
    (name) => name !== 'email' && name in traits,
  )
  if (names.length === 0) return null
  return (
    <Card title={traitTexts.title}>
      <dl className={lines}>
        {names.map((name) => (
          <Line key={name} name={knownTraits[name]?.title ?? name}>
            {shownValue(traits[name], knownTraits[name]?.format)}
          </Line>
        ))}
      </dl>
    </Card>
  )
}

function shownValue(value: unknown, format: unknown): string {
  if (typeof value === 'boolean') return traitTexts.answers[value ? 0 : 1]
  if (format === 'date') return formatDay(`${value}`)
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`
}

const addressTexts = adminAccountTexts.addresses

export function AddressesCard({ account: { id, verifiable_addresses } }: { account: Account }) {
  const unverifiedAddress = verifiable_addresses.find(({ verified }) => !verified)
  return (
    <ActionCard
      title={addressTexts.title}
      button={unverifiedAddress && addressTexts.resend}
      run={() => resendVerification(id)}
      done={addressTexts.sent(readableAddresses(unverifiedAddress?.value ?? ''))}
    >
      {verifiable_addresses.length === 0 && <p className="text-14 text-muted">{addressTexts.none}</p>}
      <ul className="grid gap-2 text-14">
        {verifiable_addresses.map(({ id, value, verified }) => (
          <li key={id} className="flex items-start justify-between gap-3">
            <span className="min-w-0 flex-1">
              <Address plain>{value}</Address>
            </span>
            <Badge tone={verified ? 'done' : 'plain'}>
              {verified ? addressTexts.verified : addressTexts.unverified}
            </Badge>
          </li>
        ))}
      </ul>
    </ActionCard>
  )
}

const credentialTexts = adminAccountTexts.credentials
const names: Readonly<Record<string, string>> = credentialTexts.names

export function CredentialsCard({ account }: { account: Account }) {
  const { credentials } = account
  const types = Object.entries(credentials)
  return (
    <ActionCard
      title={credentialTexts.title}
      button={SECOND_STEPS.some((type) => type in credentials) ? credentialTexts.removeStep : undefined}
      question={credentialTexts}
      run={() => removeSecondStep(account)}
      done={credentialTexts.removed}
    >
      {types.length === 0 && <p className="text-14 text-muted">{credentialTexts.none}</p>}
      <dl className={lines}>
        {types.map(([type, { created_at }]) => (
          <Line key={type} name={names[type] ?? type}>
            <Time words={credentialTexts.added} of={created_at} />
          </Line>
        ))}
      </dl>
    </ActionCard>
  )
}
