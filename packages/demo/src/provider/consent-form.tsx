import { readableAddresses } from '@ostiary/identity/input/readable-address'
import { useRestored } from '@ostiary/react/flows'
import { Button, Field } from '@ostiary/ui'
import { product } from '@ostiary/ui/internal'
import { type FormEvent, useRef, useState } from 'react'
import type { Attempt } from './attempt.ts'
import { Choice, Choices } from './choices.tsx'
import { consentAddress, type User } from './list-users.ts'

interface ConsentFormProps {
  attempt: Attempt
  users: readonly User[]
}

export function ConsentForm({ attempt, users }: ConsentFormProps) {
  const name = attempt.provider.label
  const [user, choose] = useState(() => (isConnecting() ? undefined : users[0]?.id) ?? 'new')
  return (
    <form method="post" action={consentAddress(attempt)} onSubmit={useOnce()} className="grid gap-5">
      <p className="text-muted">
        {`${product().name} would like to know your name and your email address. Here you choose who you are.`}
      </p>
      <Choices legend="Who are you?">
        {users.length > 0 && (
          <div className="max-h-56 divide-y divide-line overflow-y-auto">
            {users.map(({ id, ...known }) => (
              <Choice
                key={id}
                name="user"
                value={id}
                chosen={user}
                onChoose={choose}
                label={known.name}
                hint={describe(known)}
              />
            ))}
          </div>
        )}
        {newcomers.map(([value, label, hint]) => (
          <Choice
            key={value}
            name="user"
            value={value}
            chosen={user}
            onChoose={choose}
            label={label}
            hint={hint}
          />
        ))}
      </Choices>
      {user === 'taken' && (
        <Field
          label="Email of that account"
          name="email"
          type="email"
          autoComplete="off"
          required
          hint="The address of an account here."
        />
      )}
      <Answers name={name} />
      <div className="grid gap-3">
        <Button type="submit" name="decision" value="approve" full>
          {`Continue to ${product().name}`}
        </Button>
        <Button type="submit" name="decision" value="deny" look="neutral" full formNoValidate>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** A logged-in user connects an account. The known users have one, so they cannot be connected to another. */
function isConnecting(): boolean {
  return /(^|; )user_jwt=/.test(document.cookie)
}

/** A double click would send the decision twice, and the second one would fail. */
function useOnce() {
  const sent = useRef(false)
  useRestored(() => {
    sent.current = false
  })
  return (event: FormEvent) => {
    if (sent.current) event.preventDefault()
    sent.current = true
  }
}

const newcomers = [
  ['new', 'New user', 'With a verified email address.'],
  ['taken', 'New user whose email is taken', 'The address belongs to an account here already.'],
  ['no_email', 'New user without a public email', `${product().name} learns no address.`],
  ['unverified', 'New user with an unverified email', 'The provider has not checked the address.'],
] as const

function describe({ email, email_verified }: Omit<User, 'id'>): string {
  if (email === undefined) return 'No public email.'
  const address = readableAddresses(email)
  return email_verified ? address : `${address}, not verified`
}

function Answers({ name }: { name: string }) {
  const [answer, choose] = useState('normal')
  const answers = [
    ['normal', `${name} answers as it should`],
    ['slow', `${name} answers too slowly`],
    ['garbage', `${name} answers with garbage`],
    ['revoked', 'The access is revoked at once'],
  ] as const
  return (
    <details>
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        Let something go wrong
      </summary>
      <Choices legend="What happens then?">
        {answers.map(([value, label]) => (
          <Choice key={value} name="answer" value={value} chosen={answer} onChoose={choose} label={label} />
        ))}
      </Choices>
    </details>
  )
}
