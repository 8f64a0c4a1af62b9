import type { VerificationFlow } from '@ory/client-fetch'
import { useRef } from 'react'
import { useLocation } from 'react-router'
import { OnwardLink } from '../../auth/onward-link.tsx'
import { findInput } from '../../flow/inputs.ts'
import { formErrorTexts } from '../../flow/messages.ts'
import { RENEWED } from '../../flow/sentences.ts'
import { Address } from '../../ui/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page.tsx'
import { AskAddress } from '../mailed-code/ask-address.tsx'
import { DemoMailHint } from '../mailed-code/demo-mail-hint.tsx'
import { EnterCode } from '../mailed-code/enter-code.tsx'
import { addressOf } from '../mailed-code/use-mailed-code.ts'
import { Waiting } from '../mailed-code/waiting.tsx'
import { ConfirmLink } from './confirm-link.tsx'
import { EmailVerified } from './email-verified.tsx'
import { useVerification, type Verification } from './use-verification.ts'

/** Where the verification of an address stands, and what the person can do next. */
export function VerifyEmail() {
  const verification = useVerification()
  const { opened, isUnreachable, open } = verification.used
  const flow = opened?.kind === 'flow' ? opened.flow : undefined
  if (flow?.state === 'passed_challenge') return <EmailVerified flow={flow} />
  const token: unknown = flow && findInput(flow, 'token', 'hidden')?.value
  if (flow && typeof token === 'string') {
    return <ConfirmLink flow={flow} token={token} />
  }
  return (
    // The heading stays while the flow arrives: the focus is on it.
    <div className={`grid content-start gap-5 ${flow ? '' : 'min-h-96'}`}>
      <div className="grid gap-2">
        <PageHeading small>{TITLE}</PageHeading>
        {flow && (
          <p className="text-muted">
            {flow.state === 'choose_method' ? ASK : <Sent address={addressOf(flow)} />}
          </p>
        )}
      </div>
      {opened?.kind === 'flow' ? (
        <Unverified flow={opened.flow} renewed={opened.renewed} verification={verification} />
      ) : (
        <Waiting title={TITLE} isUnreachable={isUnreachable} onRetry={() => void open()} />
      )}
    </div>
  )
}

interface UnverifiedProps {
  flow: VerificationFlow
  renewed: boolean
  verification: Verification
}

function Unverified({ flow, renewed, verification }: UnverifiedProps) {
  const reason = useReason(renewed)
  const { state } = useLocation() as { state: { email?: string } | null }
  // A message that a link of a mail led to stands in the flow itself.
  const error = renewed ? undefined : formErrorTexts(flow)
  const warning = warningOf(flow)
  return (
    <>
      {(verification.notice ?? reason) && <Notice>{verification.notice ?? reason}</Notice>}
      {warning && <Notice>{warning}</Notice>}
      {flow.state === 'choose_method' ? (
        <AskAddress
          key={flow.id}
          title={TITLE}
          email={state?.email}
          error={error}
          sendCode={verification.sendCode}
        />
      ) : (
        <>
          <EnterCode
            key={flow.id}
            title={TITLE}
            flow={flow}
            work={verification}
            button={['Verify', 'Verifying…']}
          >
            <OnwardLink to="/register" state={{ email: addressOf(flow) }} className="link">
              Register again
            </OnwardLink>
          </EnterCode>
          <DemoMailHint />
        </>
      )}
    </>
  )
}

/** What confirming in this browser ends: the link was opened in another one than the registration. */
function warningOf({ ui }: VerificationFlow): string | undefined {
  return ui.messages?.find(({ id }) => id === 1080902)?.text
}

const TITLE = 'Verify your email'
const ASK = 'Tell us your address and we send you a six-digit code.'

function Sent({ address }: { address: string | undefined }) {
  return (
    <>
      We sent a six-digit code to <Address>{address ?? 'you'}</Address>.
    </>
  )
}

/** Why the person is here, when it was not their own idea. */
function useReason(renewed: boolean): string | undefined {
  const { state } = useLocation() as { state: { unverified?: boolean } | null }
  const wasRenewed = useRef(renewed)
  if (wasRenewed.current) return RENEWED
  if (state?.unverified)
    return 'Please verify your email address before you sign in. We have just sent you a new code.'
  return undefined
}
