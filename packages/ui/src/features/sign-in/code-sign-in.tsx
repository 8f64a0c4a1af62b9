import type { LoginFlow } from '@ory/client-fetch'
import type { Reply } from '@ostiary/react'
import { isCodeSent } from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useState } from 'react'
import { OnwardLink } from '../../flow/return-target.tsx'
import { EnterCode } from '../../forms/code/enter-code.tsx'
import { addressOf, type MailedCode, useMailedCode } from '../../forms/code/use-mailed-code.ts'
import { type CredentialsUse, takeEmail, useFollow } from '../../forms/credentials/use-credentials-submit.ts'
import * as paths from '../../paths.ts'
import { AddressSentence } from '../../ui/address.tsx'
import { ActionButton } from '../../ui/button.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { Notice, PageIntro } from '../../ui/page.tsx'
import { signInTexts, signInCodeTexts as texts } from './texts.ts'
import { type LoginUse, useContinueFlow } from './use-sign-in.ts'

interface EnterSignInCodeProps {
  login: LoginUse
  flow: LoginFlow
  /** From an emailed link. */
  code: string | undefined
}

/** Shows the same text whether or not the address has an account. */
export function EnterSignInCode({ login, flow, code }: EnterSignInCodeProps) {
  const codeSignIn = useCodeSignIn(login)
  const address = addressOf(flow)
  const { title, before, after } = code === undefined ? texts : texts.linked
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
        title={title}
        flow={flow}
        code={code}
        mailedCode={codeSignIn}
        button={[texts.button, texts.working]}
      >
        <OnwardLink to={paths.login} state={{ email: address }} onClick={login.forget} className="link">
          {texts.back}
        </OnwardLink>
      </EnterCode>
    </div>
  )
}

interface CodeButtonProps {
  login: LoginUse
  credentials: CredentialsUse
  extraFields(): object
}

export function CodeButton({ login, credentials, extraFields }: CodeButtonProps) {
  const { sendCode } = useCodeSignIn(login, extraFields)
  const [isBusy, setBusy] = useState(false)

  async function send() {
    const email = takeEmail(credentials)
    if (!email) return
    setBusy(true)
    const failure = await sendCode(email)
    setBusy(false)
    if (failure) credentials.fail(failure.message)
  }

  return (
    <ActionButton
      look="neutral"
      full
      icon={<MailIcon />}
      words={texts.send}
      isBusy={isBusy}
      onClick={() => void send()}
    />
  )
}

/** Login with an emailed code. `extraFields` are sent with the request for the code. */
export function useCodeSignIn(login: LoginUse, extraFields?: () => object): MailedCode<LoginFlow> {
  const continueFlow = useContinueFlow(login)
  const followElsewhere = useFollow()

  async function follow(reply: Reply<LoginFlow>): Promise<boolean> {
    if (reply.kind !== 'done') return await followElsewhere(reply)
    await continueFlow(reply.continueWith)
    return true
  }

  const isSent = login.flow && isCodeSent(login.flow)
  return useMailedCode({
    used: login,
    failed: signInTexts.failed,
    expired: messageIds.loginExpired,
    // Once a code is sent, an address alone counts as a missing code. `resend` requests another.
    requestBody: (identifier) => ({ identifier, resend: isSent ? 'code' : undefined, ...extraFields?.() }),
    codeBody: (identifier) => (identifier === undefined ? {} : { identifier }),
    follow,
  })
}
