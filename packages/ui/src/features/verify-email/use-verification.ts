import type { VerificationFlow } from '@ory/client-fetch'
import { useAuth, verificationFlow } from '@ostiary/react'
import { listenToOtherTabs, tellOtherTabs } from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useEffect } from 'react'
import { useFlow } from '../../flow/use-flow.ts'
import { type MailedCode, useMailedCode } from '../../forms/code/use-mailed-code.ts'
import { verifyTexts } from './texts.ts'

export type Verification = MailedCode<VerificationFlow>

/** Verifying in one tab completes the others too. */
export function useVerification(): Verification {
  const { isAuthenticated, refetch } = useAuth()
  const verification = useMailedCode({
    used: useFlow(verificationFlow),
    failed: verifyTexts.failed,
    expired: messageIds.verificationExpired,
    async onPassed({ id }) {
      tellOtherTabs({ kind: 'verified', flow_id: id })
      // The verified address may now be that of the account.
      if (isAuthenticated) await refetch()
    },
    // In another browser than the registering one, a login finishes the verification.
    async follow(reply) {
      if (reply.kind !== 'go') return false
      location.assign(reply.url)
      return true
    },
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
