import { hasPasskeys, offersPasskeys } from '@ostiary/react/internal'
import { PasskeyMethod } from '../../forms/credentials/method-buttons.tsx'
import type { CredentialsSubmit } from '../../forms/credentials/use-credentials-submit.ts'
import { useHydrated } from '../../ui/browser.ts'
import { passkeyButtonTexts as texts } from './texts.ts'
import type { LoginFlowForm } from './use-sign-in.ts'

interface PasskeyButtonProps {
  login: LoginFlowForm
  submission: Pick<CredentialsSubmit, 'prove' | 'isSending'>
  words?: readonly [string, string]
}

/** Besides the suggestion in the email field. */
export function PasskeyButton({ login, submission, words = texts.signIn }: PasskeyButtonProps) {
  const hydrated = useHydrated()
  const { flow, passkeyProblem } = login
  // Keeps its place until the flow is known.
  if (hydrated && flow && !offersPasskeys(flow)) return null
  if (hydrated && !hasPasskeys()) return <p className="order-last text-14 text-muted">{texts.unsupported}</p>
  async function run() {
    if (!submission.isSending) await submission.prove()
  }
  return <PasskeyMethod problem={passkeyProblem} words={words} why={texts} method="passkey" run={run} />
}
