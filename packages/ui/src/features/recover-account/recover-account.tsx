import { useRecovery } from '@ostiary/react'
import * as messageIds from '@ostiary/react/message-ids'
import { useLocation } from 'react-router'
import { useNext } from '../../auth/use-next.ts'
import { VisitorsOnly } from '../../auth/visitors-only.tsx'
import { useFlowInUrl } from '../../flow/flow-in-url.ts'
import { ReturnTargetLink } from '../../flow/return-target.tsx'
import { CodeSteps } from '../../forms/code/code-steps.tsx'
import { addressOf, useMailedCode } from '../../forms/code/use-mailed-code.ts'
import * as paths from '../../paths.ts'
import { failureTexts } from '../../texts/failures.ts'
import { FormPage } from '../../ui/page.tsx'
import { recoveryTexts as texts } from './texts.ts'

/** From the address to the code. The new password follows on the same screen. */
export function RecoverAccount({ enabled }: { enabled: boolean }) {
  const form = useRecovery({ ...useFlowInUrl(), enabled, onNext: useNext() })
  const recovery = useMailedCode(form, { failed: texts.failed, expired: messageIds.recoveryExpired })
  const { flow, isRenewed, forget } = form
  const { state } = useLocation() as { state: { email?: string } | null }
  const hasExpired = isRenewed && flow?.state === 'choose_method'
  return (
    <VisitorsOnly form={form}>
      <FormPage>
        <CodeSteps
          texts={texts}
          mailedCode={recovery}
          notice={recovery.notice ?? (hasExpired ? failureTexts.renewed : undefined)}
          button={[texts.continue, texts.checking]}
          email={state?.email}
          changeLink={
            <ReturnTargetLink
              to={paths.recovery}
              state={{ email: flow && addressOf(flow) }}
              onClick={forget}
              className="link"
            >
              {texts.change}
            </ReturnTargetLink>
          }
        >
          {(email) => (
            <p className="text-14 text-muted">
              <span>{texts.remembered}</span>{' '}
              <ReturnTargetLink to={paths.login} state={{ email }} className="link">
                {texts.signIn}
              </ReturnTargetLink>
            </p>
          )}
        </CodeSteps>
      </FormPage>
    </VisitorsOnly>
  )
}
