import type { LoginFlow } from '@ory/client-fetch'
import * as messageIds from '@ostiary/react/message-ids'
import { useMutation } from '@tanstack/react-query'
import { ReturnTargetLink } from '../../flow/return-target.tsx'
import { EnterCode } from '../../forms/code/enter-code.tsx'
import { addressOf, type MailedCode, useMailedCode } from '../../forms/code/use-mailed-code.ts'
import { type CredentialsFormState, validateEmail } from '../../forms/credentials/use-credentials-submit.ts'
import * as paths from '../../paths.ts'
import { AddressSentence } from '../../ui/address.tsx'
import { ActionButton } from '../../ui/button.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { Notice, PageIntro, usePageTitle } from '../../ui/page.tsx'
import { signInTexts, signInCodeTexts as texts } from './texts.ts'
import type { LoginFlowForm } from './use-sign-in.ts'

interface EnterSignInCodeProps {
  login: LoginFlowForm
  flow: LoginFlow
  /** From an emailed link. */
  code: string | undefined
}

/** Shows the same text whether or not the address has an account. */
export function EnterSignInCode({ login, flow, code }: EnterSignInCodeProps) {
  const codeSignIn = useCodeSignIn(login)
  const address = addressOf(flow)
  const { title, before, after } = code === undefined ? texts : texts.linked
  usePageTitle(title)
  return (
    <div className="grid content-start gap-5">
      <PageIntro
        title={title}
        lead={
          <AddressSentence before={before} after={after}>
            {address ?? texts.unknown}
          </AddressSentence>
        }
      />
      <Notice>{codeSignIn.notice}</Notice>
      <EnterCode
        key={`${flow.id} ${code}`}
        flow={flow}
        code={code}
        mailedCode={codeSignIn}
        button={[texts.button, texts.working]}
      >
        <ReturnTargetLink to={paths.login} state={{ email: address }} onClick={login.forget} className="link">
          {texts.back}
        </ReturnTargetLink>
      </EnterCode>
    </div>
  )
}

interface CodeButtonProps {
  login: LoginFlowForm
  credentials: CredentialsFormState
}

export function CodeButton({ login, credentials }: CodeButtonProps) {
  const { sendCode } = useCodeSignIn(login, credentials)
  const { mutate, isPending } = useMutation({
    mutationFn: sendCode,
    onSuccess: (failure) => failure && credentials.fail(failure.message),
  })
  function send() {
    const email = validateEmail(credentials)
    if (email) mutate(email)
  }
  return (
    <ActionButton
      look="neutral"
      full
      icon={<MailIcon />}
      words={texts.send}
      isBusy={isPending}
      onClick={send}
    />
  )
}

function useCodeSignIn(login: LoginFlowForm, credentials?: CredentialsFormState): MailedCode<LoginFlow> {
  const { failed } = signInTexts
  return useMailedCode(login, { failed, expired: messageIds.loginExpired, data: credentials?.data })
}
