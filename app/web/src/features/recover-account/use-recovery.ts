import type { RecoveryFlow } from '@ory/client-fetch'
import { useNavigate } from 'react-router'
import { findFlowId } from '../../flow/continue-with.ts'
import { recoveryFlow } from '../../flow/kinds.ts'
import * as messageIds from '../../flow/message-ids.ts'
import { useOnward } from '../../flow/onward.ts'
import { useFlow } from '../../flow/use-flow.ts'
import { type MailedCode, useMailedCode } from '../../mailed-code/use-mailed-code.ts'
import * as paths from '../../paths.ts'
import { recoveryTexts } from '../../texts/mailed-code.ts'

export type Recovery = MailedCode<RecoveryFlow>

/** The recovery code; a correct one signs in and leads to the new password. */
export function useRecovery(): Recovery {
  const navigate = useNavigate()
  const onward = useOnward()
  async function onPassed({ continue_with }: RecoveryFlow) {
    const settings = findFlowId(continue_with ?? [], 'show_settings_ui')
    const flow = settings ? `&flow=${settings}` : ''
    await navigate(`${paths.newPassword}${flow}`, { replace: true, state: onward })
  }

  const used = useFlow(recoveryFlow)
  return useMailedCode({ used, failed: recoveryTexts.failed, expired: messageIds.recoveryExpired, onPassed })
}
