import type { RecoveryFlow } from '@ory/client-fetch'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { OnwardLink } from '../../auth/onward-link.tsx'
import { useSessionOf } from '../../auth/use-session-of.ts'
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
import { type Recovery, useRecovery } from './use-recovery.ts'

const TITLE = 'Reset your password'

/** From the address to the code; the new password follows on the same screen. */
export function RecoverAccount() {
  const recovery = useRecovery()
  const { opened, isUnreachable, open } = recovery.used
  useSessionOf(opened?.kind)
  const flow = opened?.kind === 'flow' ? opened.flow : undefined
  const isSent = flow && flow.state !== 'choose_method'
  return (
    // The heading stays while the flow arrives: the focus is on it.
    <div className={`grid content-start gap-5 ${flow ? '' : 'min-h-72'}`}>
      <RecoveryHeading>{isSent ? <Sent address={addressOf(flow)} /> : undefined}</RecoveryHeading>
      {opened?.kind === 'flow' ? (
        <Steps flow={opened.flow} renewed={opened.renewed} recovery={recovery} />
      ) : (
        <Waiting title={TITLE} isUnreachable={isUnreachable} onRetry={() => void open()} />
      )}
    </div>
  )
}

/** Also what the page shows before anything is known. */
export function RecoveryHeading({ children }: { children?: React.ReactNode }) {
  return (
    <div className="grid gap-2">
      <PageHeading small>{TITLE}</PageHeading>
      <p className="text-muted">
        {children ?? 'Tell us the address of your account and we send a six-digit code to it.'}
      </p>
    </div>
  )
}

interface StepsProps {
  flow: RecoveryFlow
  renewed: boolean
  recovery: Recovery
}

function Steps({ flow, renewed, recovery }: StepsProps) {
  const { state } = useLocation() as { state: { email?: string } | null }
  const [address, setAddress] = useState(state?.email)
  const isRenewed = renewed && flow.state === 'choose_method'
  const notice = recovery.notice ?? (isRenewed ? RENEWED : undefined)
  const sendCode = (email: string) => {
    setAddress(email)
    return recovery.sendCode(email)
  }
  return (
    <>
      {notice && <Notice>{notice}</Notice>}
      {flow.state !== 'choose_method' ? (
        <>
          <EnterCode
            key={flow.id}
            title={TITLE}
            flow={flow}
            work={recovery}
            button={['Continue', 'Checking…']}
          >
            <OnwardLink
              to="/recovery"
              state={{ email: addressOf(flow) }}
              onClick={recovery.used.forget}
              className="link"
            >
              Change it
            </OnwardLink>
          </EnterCode>
          <DemoMailHint />
        </>
      ) : (
        <>
          <AskAddress
            key={flow.id}
            title={TITLE}
            email={address}
            error={renewed ? undefined : formErrorTexts(flow)}
            sendCode={sendCode}
          />
          <p className="text-14 text-muted">
            Remembered it?{' '}
            <OnwardLink to="/login" state={{ email: address }} className="link">
              Sign in
            </OnwardLink>
          </p>
        </>
      )}
    </>
  )
}

function Sent({ address }: { address: string | undefined }) {
  return (
    <>
      If there is an account for <Address>{address ?? 'this address'}</Address>, a six-digit code is on its
      way to it.
    </>
  )
}
