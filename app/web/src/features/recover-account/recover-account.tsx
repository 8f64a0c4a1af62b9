import type { RecoveryFlow } from '@ory/client-fetch'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { useAlreadySignedIn } from '../../auth/use-already-signed-in.ts'
import { formErrorTexts } from '../../flow/messages.ts'
import { OnwardLink } from '../../flow/onward-link.tsx'
import { RENEWED } from '../../flow/sentences.ts'
import { AskAddress } from '../../mailed-code/ask-address.tsx'
import { EnterCode } from '../../mailed-code/enter-code.tsx'
import { addressOf } from '../../mailed-code/use-mailed-code.ts'
import { Waiting } from '../../mailed-code/waiting.tsx'
import * as paths from '../../paths.ts'
import { recoveryTexts as texts } from '../../texts/mailed-code.ts'
import { Address } from '../../ui/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page.tsx'
import { useLatest } from '../../ui/use-latest.ts'
import { type Recovery, useRecovery } from './use-recovery.ts'

/** From the address to the code; the new password follows on the same screen. */
export function RecoverAccount() {
  const recovery = useRecovery()
  const { opened, flow, isRenewed, isUnreachable, open } = recovery.used
  useAlreadySignedIn(opened?.kind)
  const isSent = flow && flow.state !== 'choose_method'
  return (
    // The heading stays while the flow arrives: the focus is on it.
    <div className={`grid content-start gap-5 ${flow ? '' : 'min-h-72'}`}>
      <RecoveryHeading>{isSent ? <Sent address={addressOf(flow)} /> : undefined}</RecoveryHeading>
      {flow ? (
        <Steps flow={flow} renewed={isRenewed} recovery={recovery} />
      ) : (
        <Waiting title={texts.title} isUnreachable={isUnreachable} onRetry={() => void open()} />
      )}
    </div>
  )
}

/** Prerendered too, before the flow is known. */
export function RecoveryHeading({ children }: { children?: ReactNode }) {
  return (
    <div className="grid gap-2">
      <PageHeading small>{texts.title}</PageHeading>
      <p className="text-muted">{children ?? texts.ask}</p>
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
  const hasSent = useLatest(flow.state !== 'choose_method' || undefined)
  const isRenewed = renewed && flow.state === 'choose_method'
  const notice = recovery.notice ?? (isRenewed ? RENEWED : undefined)
  const sendCode = (email: string) => {
    setAddress(email)
    return recovery.sendCode(email)
  }
  return (
    <>
      <Notice>{notice}</Notice>
      {flow.state !== 'choose_method' ? (
        <EnterCode
          key={flow.id}
          title={texts.title}
          flow={flow}
          work={recovery}
          button={[texts.continue, texts.checking]}
        >
          <OnwardLink
            to={paths.recovery}
            state={{ email: addressOf(flow) }}
            onClick={recovery.used.forget}
            className="link"
          >
            {texts.change}
          </OnwardLink>
        </EnterCode>
      ) : (
        <>
          <AskAddress
            key={flow.id}
            title={texts.title}
            email={address}
            error={renewed ? undefined : formErrorTexts(flow)}
            takesFocus={hasSent === true}
            sendCode={sendCode}
          />
          <p className="text-14 text-muted">
            {texts.remembered}{' '}
            <OnwardLink to={paths.login} state={{ email: address }} className="link">
              {texts.signIn}
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
      {texts.before} <Address>{address ?? texts.unknown}</Address>
      {texts.after}
    </>
  )
}
