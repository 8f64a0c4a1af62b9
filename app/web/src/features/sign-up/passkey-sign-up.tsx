import { useEffect, useState } from 'react'
import { hasPasskeys, newPasskeyQuestion } from '../../flow/passkey-question.ts'
import { forgetPasskey, isCancelled, makePasskey } from '../../flow/passkeys.ts'
import { requiredTraits, withTraits } from '../../flow/traits.ts'
import { PasskeyWay } from '../../forms/credentials/method-buttons.tsx'
import { type CredentialsUse, type Entry, takeEmail } from '../../forms/credentials/use-entry.ts'
import { ruleTexts } from '../../texts/fields.ts'
import { useHydrated } from '../../ui/browser.ts'
import { passkeySignUpTexts as texts } from './texts.ts'
import type { RegistrationUse } from './use-sign-up.ts'

interface PasskeySignUpProps {
  registration: RegistrationUse
  credentials: CredentialsUse
  prove: Entry['prove']
}

export function PasskeySignUp({ registration: { flow }, credentials, prove }: PasskeySignUpProps) {
  const hydrated = useHydrated()
  const [isBusy, setBusy] = useState(false)
  const [notice, setNotice] = useState<string>()
  const question = newPasskeyQuestion(flow)

  // Pressed before the flow has arrived.
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting || question === undefined) return
    setWaiting(false)
    void create()
  })

  async function create() {
    const email = takeEmail(credentials)
    if (!email) return
    if (question === undefined) return setWaiting(true)
    const fields = requiredTraits(flow)
    const typed = credentials.read()
    // Before the device stores a passkey that no account has.
    const missing = fields.filter(({ name, type }) => type !== 'checkbox' && !typed[name]?.trim())
    if (missing.length > 0)
      return credentials.refuse(Object.fromEntries(missing.map(({ name }) => [name, ruleTexts.required])))
    setBusy(true)
    setNotice(undefined)
    await register(question, withTraits({ email }, fields, typed), prove).catch((error) =>
      setNotice(explain(error)),
    )
    setBusy(false)
  }

  // Keeps its place until the flow is known.
  const isOffered = !hydrated || (hasPasskeys() && (!flow || question !== undefined))
  if (!isOffered) return null
  return (
    <PasskeyWay
      label={texts.signUp[0]}
      busy={isBusy || isWaiting ? texts.signUp[1] : undefined}
      notice={notice}
      onPress={() => void create()}
    />
  )
}

async function register(
  question: string,
  traits: { readonly email: string },
  prove: Entry['prove'],
): Promise<void> {
  const answer = await makePasskey(question, [], traits.email)
  const reply = await prove({ passkey_register: answer, traits })
  // The device stored a passkey that no account has.
  if (reply?.kind !== 'done') await forgetPasskey(question, (JSON.parse(answer) as { id: string }).id)
}

function explain(error: unknown): string {
  if (isCancelled(error)) return texts.cancelled
  console.error(error)
  return texts.failed
}
