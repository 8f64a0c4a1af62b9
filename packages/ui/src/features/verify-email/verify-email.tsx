import type { VerificationFlow } from '@ory/client-fetch'
import { useAuth } from '@ostiary/react'
import { formErrorTexts, formTexts, getCsrfToken, textIn } from '@ostiary/react/flows'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { OnwardLink } from '../../flow/onward.tsx'
import { AskAddress, Waiting } from '../../forms/code/ask-address.tsx'
import { EnterCode } from '../../forms/code/enter-code.tsx'
import { addressOf, useLatest } from '../../forms/code/use-mailed-code.ts'
import * as paths from '../../paths.ts'
import { failureTexts } from '../../texts/failures.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { WithClock } from '../../ui/form/form-error.tsx'
import { Notice, PageHeading, usePageTitle } from '../../ui/page.tsx'
import { EmailVerified } from './email-verified.tsx'
import { confirmLinkTexts, verifyTexts as texts } from './texts.ts'
import { useVerification, type Verification } from './use-verification.ts'

export function VerifyEmail() {
  useSessionOfRegistration()
  const verification = useVerification()
  const { flow, isRenewed, isUnreachable, open } = verification.used
  // A replacement flow has no address.
  const address = useLatest(flow && addressOf(flow))
  const hasSent = useLatest(flow?.state === 'sent_email' || undefined)
  if (flow?.state === 'passed_challenge') return <EmailVerified flow={flow} email={address} />
  const token = flow && textIn(flow, 'token', 'hidden')
  if (token) return <ConfirmLink flow={flow} token={token} />
  return (
    // The focused heading stays while the flow loads.
    <div className={`grid content-start gap-5 ${flow ? '' : 'min-h-96'}`}>
      <div className="grid gap-2">
        <PageHeading small>{texts.title}</PageHeading>
        {flow && (
          <p className="text-muted">
            {flow.state === 'choose_method' ? (
              texts.ask
            ) : (
              <span>
                <span>{texts.sent}</span> <Address>{addressOf(flow) ?? texts.unknown}</Address>
                <span>.</span>
              </span>
            )}
          </p>
        )}
      </div>
      {flow ? (
        <Unverified
          flow={flow}
          renewed={isRenewed}
          verification={verification}
          address={address}
          hasSent={hasSent === true}
        />
      ) : (
        <Waiting title={texts.title} isUnreachable={isUnreachable} onRetry={() => void open()} />
      )}
    </div>
  )
}

/** A registration may log in, too. */
function useSessionOfRegistration(): void {
  const { state } = useLocation() as { state: { hasSession?: boolean } | null }
  const { refetch } = useAuth()
  const hasSession = state?.hasSession === true
  useEffect(() => {
    if (hasSession) void refetch()
  }, [hasSession, refetch])
}

interface UnverifiedProps {
  flow: VerificationFlow
  renewed: boolean
  verification: Verification
  address: string | undefined
  hasSent: boolean
}

function Unverified({ flow, renewed, verification, address, hasSent }: UnverifiedProps) {
  const { state } = useLocation() as { state: { email?: string; unverified?: boolean } | null }
  const { isAuthenticated } = useAuth()
  const [wasRenewed] = useState(renewed)
  const reason = wasRenewed ? failureTexts.renewed : state?.unverified ? texts.unverified : undefined
  // An emailed link leaves its message in the flow.
  const error = renewed ? undefined : formErrorTexts(flow)
  return (
    <>
      <Notice>{verification.notice ?? reason}</Notice>
      {flow.state === 'choose_method' ? (
        <AskAddress
          key={flow.id}
          title={texts.title}
          email={address ?? state?.email}
          error={error}
          takesFocus={hasSent}
          sendCode={verification.sendCode}
        />
      ) : (
        <EnterCode
          key={flow.id}
          title={texts.title}
          flow={flow}
          work={verification}
          button={[texts.verify, texts.verifying]}
        >
          <OnwardLink
            to={isAuthenticated ? paths.settings : paths.register}
            state={{ email: addressOf(flow) }}
            className="link"
          >
            {texts.change}
          </OnwardLink>
        </EnterCode>
      )}
    </>
  )
}

/**
 * Opening an emailed link only describes its effect. The button posts the form natively, because Ory's client
 * has no field for the token.
 */
function ConfirmLink({ flow, token }: { flow: VerificationFlow; token: string }) {
  const said = formTexts(flow)
  usePageTitle(confirmLinkTexts.title)
  return (
    <form action={flow.ui.action} method="post" className="grid content-start gap-5">
      <PageHeading small>{confirmLinkTexts.title}</PageHeading>
      <p className="text-muted">{said && <WithClock message={said} />}</p>
      <input type="hidden" name="csrf_token" value={getCsrfToken(flow)} />
      <input type="hidden" name="token" value={token} />
      <Button type="submit" name="method" value="link" full>
        {confirmLinkTexts.button}
      </Button>
    </form>
  )
}
