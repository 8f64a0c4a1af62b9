import { readableAddresses } from '@ostiary/identity/input/readable-address'
import { useRestored } from '@ostiary/react/internal'
import { Button, Field, z } from '@ostiary/ui'
import { type Provider, product, request } from '@ostiary/ui/internal'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { providerTexts as texts } from './texts.ts'

export interface Attempt {
  readonly provider: Provider
  readonly id: string
}

export function readAttempt(search: string): Attempt | undefined {
  const query = new URLSearchParams(search)
  const id = query.get('attempt')
  const provider = product().demoProviders.find((one) => one.id === query.get('provider'))
  return id && provider ? { provider, id } : undefined
}

const user = z.object({
  id: z.string(),
  name: z.string(),
  email: z.optional(z.string()),
  email_verified: z.boolean(),
})
const listed = z.object({ users: z.array(user) })

type User = z.infer<typeof user>

/** The accounts at the demo provider, the newest first; an error when the attempt has expired. */
export function useUsers(attempt: Attempt) {
  return useQuery({
    queryKey: ['demo-users', attempt.provider.id, attempt.id],
    queryFn: async () => z.parse(listed, (await request(consentAddress(attempt))).json).users,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function consentAddress({ provider, id }: Attempt): string {
  return `/demo/api/consent/${provider.id}/${encodeURIComponent(id)}`
}

interface ConsentFormProps {
  attempt: Attempt
  users: readonly User[]
}

export function ConsentForm({ attempt, users }: ConsentFormProps) {
  const name = attempt.provider.label
  const app = product().name
  const [user, choose] = useState(() => (isConnecting() ? undefined : users[0]?.id) ?? 'new')
  return (
    <form method="post" action={consentAddress(attempt)} onSubmit={useOnce()} className="grid gap-5">
      <p className="text-muted">{texts.lead(app)}</p>
      <Choices legend={texts.who}>
        {users.length > 0 && (
          <div className="relative max-h-56 divide-y divide-line overflow-y-auto">
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
        {Object.entries(texts.newcomers).map(([value, [label, hint]]) => (
          <Choice
            key={value}
            name="user"
            value={value}
            chosen={user}
            onChoose={choose}
            label={label}
            hint={hint(app)}
          />
        ))}
      </Choices>
      {user === 'taken' && (
        <Field
          label={texts.taken}
          name="email"
          type="email"
          autoComplete="off"
          required
          hint={texts.takenHint}
        />
      )}
      <Answers name={name} />
      <div className="grid gap-3">
        <Button type="submit" name="decision" value="approve" full>
          {texts.approve(app)}
        </Button>
        <Button type="submit" name="decision" value="deny" look="neutral" full formNoValidate>
          {texts.deny}
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
  const wasSent = useRef(false)
  useRestored(() => {
    wasSent.current = false
  })
  return (event: FormEvent) => {
    if (wasSent.current) event.preventDefault()
    wasSent.current = true
  }
}

function describe({ email, email_verified }: Omit<User, 'id'>): string {
  if (email === undefined) return texts.noEmail
  const address = readableAddresses(email)
  return email_verified ? address : texts.unverified(address)
}

function Answers({ name }: { name: string }) {
  const [answer, choose] = useState('normal')
  return (
    <details>
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">{texts.wrong}</summary>
      <Choices legend={texts.what}>
        {Object.entries(texts.answers).map(([value, label]) => (
          <Choice
            key={value}
            name="answer"
            value={value}
            chosen={answer}
            onChoose={choose}
            label={label(name)}
          />
        ))}
      </Choices>
    </details>
  )
}

function Choices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid">
      <legend className="mb-1 text-14 font-medium">{legend}</legend>
      <div className="divide-y divide-line overflow-hidden rounded-field border border-edge bg-surface">
        {children}
      </div>
    </fieldset>
  )
}

interface ChoiceProps {
  name: string
  value: string
  chosen: string
  onChoose(value: string): void
  label: string
  hint?: string
}

function Choice({ name, value, chosen, onChoose, label, hint }: ChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 px-3 py-2.5 transition-colors hover:bg-raised has-checked:bg-tint">
      <input
        type="radio"
        name={name}
        value={value}
        checked={value === chosen}
        onChange={() => onChoose(value)}
        className="mt-0.75"
      />
      <span className="grid min-w-0">
        <span>{label}</span>
        {hint && <span className="text-14 text-muted">{hint}</span>}
      </span>
    </label>
  )
}
