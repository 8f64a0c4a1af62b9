import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { accountTexts } from '../texts/account.ts'
import { Notice } from '../ui/notice.tsx'

/** Greets a user who has just recovered the account. */
export function WelcomeBack() {
  const { state } = useLocation() as { state: { recovered?: 'password' | 'passkey' } | null }
  const recovered = state?.recovered
  useEffect(() => {
    // The router reads `usr` when the page loads: without it a reload does not greet again.
    if (recovered) history.replaceState({ ...history.state, usr: null }, '')
  }, [recovered])
  if (!recovered) return null
  return (
    <div className="mb-4">
      <Notice tone="done">{accountTexts.welcomeBack[recovered]}</Notice>
    </div>
  )
}
