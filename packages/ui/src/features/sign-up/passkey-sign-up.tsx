import { hasPasskeys, offersPasskeys, requiredTraits } from '@ostiary/react/internal'
import { PasskeyMethod } from '../../forms/credentials/method-buttons.tsx'
import {
  type CredentialsFormState,
  type CredentialsSubmit,
  validateEmail,
} from '../../forms/credentials/use-credentials-submit.ts'
import { ruleTexts } from '../../texts/fields.ts'
import { useHydrated } from '../../ui/browser.ts'
import { passkeySignUpTexts as texts } from './texts.ts'
import type { RegistrationFlowForm } from './use-sign-up.ts'

interface PasskeySignUpProps {
  registration: RegistrationFlowForm
  credentials: CredentialsFormState
  prove: CredentialsSubmit['prove']
}

export function PasskeySignUp({ registration, credentials, prove }: PasskeySignUpProps) {
  const hydrated = useHydrated()
  const { flow, passkeyProblem } = registration

  async function run() {
    const email = validateEmail(credentials)
    if (credentials.isSubmitting || !email) return
    const typed = credentials.read()
    // Before the device stores a passkey that no account has.
    const missing = requiredTraits(flow).filter(
      ({ name, type }) => type !== 'checkbox' && !typed[name]?.trim(),
    )
    if (missing.length === 0) await prove({ email })
    else credentials.refuse(Object.fromEntries(missing.map(({ name }) => [name, ruleTexts.required])))
  }

  // Keeps its place until the flow is known.
  const isOffered = !hydrated || (hasPasskeys() && (!flow || offersPasskeys(flow)))
  if (!isOffered) return null
  return <PasskeyMethod problem={passkeyProblem} words={texts.signUp} why={texts} run={run} />
}
