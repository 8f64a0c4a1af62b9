import type { RecoveryFlow } from '@ory/client-fetch'
import { formErrorTexts, recoveryFlow } from '@ostiary/react/flows'
import * as messageIds from '@ostiary/react/message-ids'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useAlreadySignedIn } from '../../auth/visitors-only.tsx'
import { OnwardLink, useOnward } from '../../flow/onward.tsx'
import { useFlow } from '../../flow/use-flow.ts'
import { AskAddress, Waiting } from '../../forms/code/ask-address.tsx'
import { EnterCode } from '../../forms/code/enter-code.tsx'
import { addressOf, type MailedCode, useLatest, useMailedCode } from '../../forms/code/use-mailed-code.ts'
import * as paths from '../../paths.ts'
import { failureTexts } from '../../texts/failures.ts'
import { Address } from '../../ui/address.tsx'
import { Notice, PageHeading } from '../../ui/page.tsx'
import { recoveryTexts as texts } from './texts.ts'

/** From the address to the code. The new password follows on the same screen. */
export function RecoverAccount() {
  const recovery = useRecovery()
  const { opened, flow, isRenewed, isUnreachable, open } = recovery.used
  useAlreadySignedIn(opened?.kind)
  const isSent = flow && flow.state !== 'choose_method'
  return (
    // The focused heading stays while the flow loads.
    <div className={`grid content-start gap-5 ${flow ? '' : 'min-h-72'}`}>
      <RecoveryHeading>
        {isSent && (
          <span>
            <span>{texts.before}</span> <Address>{addressOf(flow) ?? texts.unknown}</Address>
            <span>{texts.after}</span>
          </span>
        )}
      </RecoveryHeading>
      {flow ? (
        <Steps flow={flow} renewed={isRenewed} recovery={recovery} />
      ) : (
        <Waiting title={texts.title} isUnreachable={isUnreachable} onRetry={() => void open()} />
      )}
    </div>
  )
}

export function RecoveryHeading({ children }: { children?: ReactNode }) {
  return (
    <div className="grid gap-2">
      <PageHeading small>{texts.title}</PageHeading>
      <p className="text-muted">{children || texts.ask}</p>
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
  const notice = recovery.notice ?? (isRenewed ? failureTexts.renewed : undefined)
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
            <span>{texts.remembered}</span>{' '}
            <OnwardLink to={paths.login} state={{ email: address }} className="link">
              {texts.signIn}
            </OnwardLink>
          </p>
        </>
      )}
    </>
  )
}

export type Recovery = MailedCode<RecoveryFlow>

function useRecovery(): Recovery {
  const navigate = useNavigate()
  const onward = useOnward()
  async function onPassed({ continue_with }: RecoveryFlow) {
    const settings = continue_with?.find((item) => item.action === 'show_settings_ui')
    const flow = settings ? `&flow=${settings.flow.id}` : ''
    await navigate(`${paths.newPassword}${flow}`, { replace: true, state: onward })
  }

  const used = useFlow(recoveryFlow)
  return useMailedCode({ used, failed: texts.failed, expired: messageIds.recoveryExpired, onPassed })
}
