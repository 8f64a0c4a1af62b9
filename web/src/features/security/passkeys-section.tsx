import type { SettingsFlow } from '@ory/client-fetch'
import { useState } from 'react'
import type { KnownCredentials } from '../../account/use-credentials.ts'
import type { SettingsUse } from '../../account/use-save.ts'
import { newPasskeyQuestion } from '../../flow/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { CardStatus } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import { passkeysOf } from './list-passkeys.ts'
import { PasskeyCard } from './passkey-card.tsx'
import { useAddPasskey } from './use-add-passkey.ts'

interface PasskeysSectionProps {
  settings: SettingsUse
  flow: SettingsFlow
  known: KnownCredentials | undefined
  onChanged(): void
}

/** Passkeys stand above passwords: they are quicker, and nothing about them can be guessed or phished. */
export function PasskeysSection({ settings, flow, known, onChanged }: PasskeysSectionProps) {
  const passkeys = passkeysOf(flow, known)
  const question = newPasskeyQuestion(flow)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const adding = useAddPasskey(settings, passkeys)

  function say(words: string) {
    setStatus(words)
    onChanged()
    focus()
  }

  async function add() {
    setStatus(undefined)
    if (question && (await adding.add(question))) say('Your passkey is added. Next time, sign in with it.')
  }

  const button = question && (
    <Button
      look={passkeys.length === 0 ? 'main' : 'neutral'}
      small
      busy={adding.isBusy ? 'Waiting for your device…' : undefined}
      onClick={() => void add()}
    >
      Add a passkey
    </Button>
  )
  return (
    <section aria-labelledby="passkeys" className="grid gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="passkeys" ref={ref} tabIndex={-1} className="text-16 focus:outline-none">
          Passkeys
        </h2>
        {passkeys.length > 0 && button}
      </div>
      {passkeys.length === 0 && <Hero>{button}</Hero>}
      {passkeys.length > 0 && (
        <ul className="grid gap-3">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyCard passkey={passkey} settings={settings} question={question} onDone={say} />
            </li>
          ))}
        </ul>
      )}
      <FormError>{adding.error}</FormError>
      {adding.notice && <p className="text-14 text-muted">{adding.notice}</p>}
      <CardStatus>{status}</CardStatus>
    </section>
  )
}

function Hero({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border border-line bg-surface p-4 sm:p-6">
      <span className="rounded-field bg-tint p-3 text-accent">
        <PasskeyIcon />
      </span>
      <div className="grid min-w-0 grow basis-60 gap-1">
        <p className="font-medium">Sign in with your fingerprint, face or screen lock</p>
        <p className="text-14 text-muted">
          {children
            ? 'A passkey is quicker than a password, and can’t be guessed or stolen by a fake page.'
            : 'This browser doesn’t know passkeys.'}
        </p>
      </div>
      {children}
    </div>
  )
}
