import type { LoginFlow } from '@ory/client-fetch'
import { useNavigate } from 'react-router'
import { useAuth } from '../../auth/use-auth.ts'
import { isCodeSent } from '../../flow/inputs.ts'
import * as messageIds from '../../flow/message-ids.ts'
import { useOnward } from '../../flow/onward.ts'
import type { Reply } from '../../flow/submit-flow.ts'
import { type MailedCode, useMailedCode } from '../../mailed-code/use-mailed-code.ts'
import * as paths from '../../paths.ts'
import { signInTexts } from '../../texts/entry.ts'
import { type LoginUse, useContinueFlow } from './use-sign-in.ts'

/** Sign-in with an emailed code instead of a password; `along` is sent with the request for the code. */
export function useCodeSignIn(login: LoginUse, along?: () => object): MailedCode<LoginFlow> {
  const continueFlow = useContinueFlow(login)
  const navigate = useNavigate()
  const onward = useOnward()
  const { refetch } = useAuth()

  async function follow(reply: Reply<LoginFlow>): Promise<boolean> {
    switch (reply.kind) {
      case 'done':
        await continueFlow(reply.continueWith)
        return true
      case 'second-factor':
        await navigate(paths.secondFactor, { state: onward })
        return true
      case 'already-signed-in':
        await refetch()
        return true
      default:
        return false
    }
  }

  const isSent = login.flow && isCodeSent(login.flow)
  return useMailedCode({
    used: login,
    failed: signInTexts.failed,
    expired: messageIds.loginExpired,
    // After a code was sent, an address alone counts as a missing code; `resend` requests another.
    asks: (identifier) => ({ identifier, ...(isSent && { resend: 'code' as const }), ...along?.() }),
    gives: (identifier) => (identifier === undefined ? {} : { identifier }),
    follow,
  })
}
