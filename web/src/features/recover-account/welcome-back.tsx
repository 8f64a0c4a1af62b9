import { useLocation } from 'react-router'
import { Notice } from '../../ui/notice.tsx'

/** For who comes from a recovery. */
export function WelcomeBack() {
  const { state } = useLocation() as { state: { recovered?: boolean } | null }
  if (!state?.recovered) return null
  return (
    <div className="mb-8">
      <Notice tone="done">Welcome back. Your new password is set, and you are signed in.</Notice>
    </div>
  )
}
