import type { RecoveryFlow } from '@ory/client-fetch'
import { recoveryFlow } from '@ostiary/react'
import * as messageIds from '@ostiary/react/message-ids'
import { useLocation, useNavigate } from 'react-router'
import { useAlreadySignedIn } from '../../auth/visitors-only.tsx'
import { OnwardLink, useReturnTarget } from '../../flow/return-target.tsx'
import { useFlow } from '../../flow/use-flow.ts'
import { CodeSteps } from '../../forms/code/code-steps.tsx'
import { addressOf, type MailedCode, useMailedCode } from '../../forms/code/use-mailed-code.ts'
import * as paths from '../../paths.ts'
import { failureTexts } from '../../texts/failures.ts'
import { recoveryTexts as texts } from './texts.ts'

/** From the address to the code. The new password follows on the same screen. */
export function RecoverAccount({ enabled }: { enabled: boolean }) {
  const recovery = useRecovery(enabled)
  const { opened, flow, isRenewed, forget } = recovery.used
  const { state } = useLocation() as { state: { email?: string } | null }
  useAlreadySignedIn(opened?.kind)
  const hasExpired = isRenewed && flow?.state === 'choose_method'
  return (
    <CodeSteps
      texts={texts}
      mailedCode={recovery}
      notice={recovery.notice ?? (hasExpired ? failureTexts.renewed : undefined)}
      button={[texts.continue, texts.checking]}
      email={state?.email}
      changeLink={
        <OnwardLink
          to={paths.recovery}
          state={{ email: flow && addressOf(flow) }}
          onClick={forget}
          className="link"
        >
          {texts.change}
        </OnwardLink>
      }
    >
      {(email) => (
        <p className="text-14 text-muted">
          <span>{texts.remembered}</span>{' '}
          <OnwardLink to={paths.login} state={{ email }} className="link">
            {texts.signIn}
          </OnwardLink>
        </p>
      )}
    </CodeSteps>
  )
}

function useRecovery(enabled: boolean): MailedCode<RecoveryFlow> {
  const navigate = useNavigate()
  const onward = useReturnTarget()
  async function onPassed({ continue_with }: RecoveryFlow) {
    const settings = continue_with?.find((item) => item.action === 'show_settings_ui')
    const flow = settings ? `&flow=${settings.flow.id}` : ''
    await navigate(`${paths.newPassword}${flow}`, { replace: true, state: onward })
  }

  const usedFlow = useFlow(recoveryFlow, enabled)
  return useMailedCode({
    used: usedFlow,
    failed: texts.failed,
    expired: messageIds.recoveryExpired,
    onPassed,
  })
}
