import type { VerificationFlow } from '@ory/client-fetch'
import { useEffect } from 'react'
import { listenToOtherTabs, tellOtherTabs } from '../../auth/tab-channel.ts'
import { verificationFlow } from '../../flow/kinds.ts'
import * as messageIds from '../../flow/message-ids.ts'
import { useFlow } from '../../flow/use-flow.ts'
import { type MailedCode, useMailedCode } from '../../mailed-code/use-mailed-code.ts'
import { verifyTexts } from '../../texts/mailed-code.ts'

export type Verification = MailedCode<VerificationFlow>

/** The code that proves an address; entered in one tab, it completes the others too. */
export function useVerification(): Verification {
  const verification = useMailedCode({
    used: useFlow(verificationFlow),
    failed: verifyTexts.failed,
    expired: messageIds.verificationExpired,
    onPassed: ({ id }) => tellOtherTabs({ kind: 'verified', flow_id: id }),
  })
  useVerifiedElsewhere(verification.used)
  return verification
}

function useVerifiedElsewhere({ flow, open }: Verification['used']): void {
  const flowId = flow?.id
  useEffect(
    () =>
      listenToOtherTabs((news) => {
        if (news.kind === 'verified' && news.flow_id === flowId) void open()
      }),
    [flowId, open],
  )
}
