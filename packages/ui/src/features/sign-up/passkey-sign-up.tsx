import {
  forgetPasskey,
  hasPasskeys,
  makePasskey,
  newPasskeyQuestion,
  requiredTraits,
  withTraits,
} from '@ostiary/react/internal'
import { PasskeyMethod } from '../../forms/credentials/method-buttons.tsx'
import {
  type CredentialsSubmit,
  type CredentialsUse,
  takeEmail,
} from '../../forms/credentials/use-credentials-submit.ts'
import { ruleTexts } from '../../texts/fields.ts'
import { useHydrated } from '../../ui/browser.ts'
import { passkeySignUpTexts as texts } from './texts.ts'
import type { RegistrationUse } from './use-sign-up.ts'

interface PasskeySignUpProps {
  registration: RegistrationUse
  credentials: CredentialsUse
  prove: CredentialsSubmit['prove']
}

export function PasskeySignUp({ registration: { flow }, credentials, prove }: PasskeySignUpProps) {
  const hydrated = useHydrated()
  const question = newPasskeyQuestion(flow)

  function isReady(): boolean {
    if (credentials.isSubmitting) return false
    if (!takeEmail(credentials)) return false
    const typed = credentials.read()
    // Before the device stores a passkey that no account has.
    const missing = requiredTraits(flow).filter(
      ({ name, type }) => type !== 'checkbox' && !typed[name]?.trim(),
    )
    if (missing.length > 0)
      credentials.refuse(Object.fromEntries(missing.map(({ name }) => [name, ruleTexts.required])))
    return missing.length === 0
  }

  // Keeps its place until the flow is known.
  const isOffered = !hydrated || (hasPasskeys() && (!flow || question !== undefined))
  if (!isOffered) return null
  return (
    <PasskeyMethod
      question={question}
      words={texts.signUp}
      why={texts}
      isReady={isReady}
      run={async (question) => {
        const email = takeEmail(credentials)
        if (email)
          await register(question, withTraits({ email }, requiredTraits(flow), credentials.read()), prove)
      }}
    />
  )
}

async function register(
  question: string,
  traits: { readonly email: string },
  prove: CredentialsSubmit['prove'],
): Promise<void> {
  const answer = await makePasskey(question, [], traits.email)
  const reply = await prove({ passkey_register: answer, traits })
  // The device stored a passkey that no account has.
  if (reply?.kind !== 'done') await forgetPasskey(question, (JSON.parse(answer) as { id: string }).id)
}
