import type { RecoveryFlow } from '@ory/client-fetch'
import { useNavigate } from 'react-router'
import { useAuth } from '../../auth/use-auth.ts'
import { findFlowId } from '../../flow/continue-with.ts'
import { recoveryFlow } from '../../flow/kinds.ts'
import { type MailedCode, useMailedCode } from '../mailed-code/use-mailed-code.ts'

export type Recovery = MailedCode<RecoveryFlow>

/** The code that lets somebody back in; the right one signs in and leads to the new password. */
export function useRecovery(): Recovery {
  const navigate = useNavigate()
  const { refetch } = useAuth()
  const recovery: Recovery = useMailedCode({
    calls: recoveryFlow,
    failed: 'Recovery failed',
    expired: 4060005,
    onPassed,
  })

  async function onPassed({ continue_with }: RecoveryFlow) {
    const settings = findFlowId(continue_with ?? [], 'show_settings_ui')
    const flow = settings ? `&flow=${settings}` : ''
    // Before the session is known here: this address is the one that the signed-in may stay at.
    await navigate(`/recovery?step=password${flow}`, { replace: true })
    recovery.used.forget()
    await refetch()
  }

  return recovery
}
