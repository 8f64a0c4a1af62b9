import type { VerificationFlow } from '@ory/client-fetch'
import { type Auth, useAuth, useVerification } from '@ostiary/react'
import { formTexts, getCsrfToken, textIn } from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useLocation } from 'react-router'
import { hasVerifiedEmail } from '../../auth/access.tsx'
import { useFlowInUrl } from '../../flow/flow-in-url.ts'
import { ReturnTargetLink } from '../../flow/return-target.tsx'
import { CodeSteps } from '../../forms/code/code-steps.tsx'
import { addressOf, useMailedCode } from '../../forms/code/use-mailed-code.ts'
import * as paths from '../../paths.ts'
import { failureTexts } from '../../texts/failures.ts'
import { useLatest } from '../../ui/browser.ts'
import { Button } from '../../ui/button.tsx'
import { WithClock } from '../../ui/form/form-error.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'
import { EmailVerified } from './email-verified.tsx'
import { confirmLinkTexts, verifyTexts as texts } from './texts.ts'

export function VerifyEmail() {
  const form = useVerification(useFlowInUrl())
  const { failed } = texts
  const verification = useMailedCode(form, { failed, expired: messageIds.verificationExpired })
  const { flow, isRenewed } = form
  const { state } = useLocation() as { state: { email?: string; unverified?: boolean } | null }
  const { isAuthenticated, session } = useAuth()
  const wasRenewed = useLatest(isRenewed || undefined)
  const sentTo = flow && addressOf(flow)
  // A replacement flow has no address.
  const address = useLatest(sentTo)
  if (flow && isOver(flow, session, wasRenewed)) return <EmailVerified flow={flow} email={address} />
  const token = flow && textIn(flow, 'token', 'hidden')
  if (token) return <ConfirmLink flow={flow} token={token} />
  const reason = wasRenewed ? failureTexts.renewed : state?.unverified ? texts.unverified : undefined
  return (
    <CodeSteps
      texts={{ ...texts, before: texts.sent, after: texts.afterSent }}
      mailedCode={verification}
      notice={verification.notice ?? reason}
      button={[texts.verify, texts.verifying]}
      email={address ?? state?.email}
      changeLink={
        <ReturnTargetLink
          to={isAuthenticated ? paths.settings : paths.register}
          state={{ email: sentTo }}
          className="link"
        >
          {texts.change}
        </ReturnTargetLink>
      }
    />
  )
}

/** With a message, or in place of an expired flow, it may be about another address than the verified one. */
function isOver({ state, ui }: VerificationFlow, session: Auth['session'], wasRenewed = false): boolean {
  if (state === 'passed_challenge') return true
  const isNew = state === 'choose_method' && !wasRenewed && !ui.messages?.length
  return isNew && hasVerifiedEmail(session)
}

/**
 * Opening an emailed link only describes its effect. The button posts the form natively, because Ory's client
 * has no field for the token.
 */
function ConfirmLink({ flow, token }: { flow: VerificationFlow; token: string }) {
  const message = formTexts(flow)
  usePageTitle(confirmLinkTexts.title)
  return (
    <form action={flow.ui.action} method="post" className="grid content-start gap-5">
      <PageHeading small>{confirmLinkTexts.title}</PageHeading>
      <p className="text-muted">{message && <WithClock message={message} />}</p>
      <input type="hidden" name="csrf_token" value={getCsrfToken(flow)} />
      <input type="hidden" name="token" value={token} />
      <Button type="submit" name="method" value="link" full>
        {confirmLinkTexts.button}
      </Button>
    </form>
  )
}
