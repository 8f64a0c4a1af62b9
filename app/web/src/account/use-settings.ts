import { useEffect } from 'react'
import { useAuth } from '../auth/use-auth.ts'
import { settingsFlow } from '../flow/kinds.ts'
import { useFlow } from '../flow/use-flow.ts'
import type { SettingsUse } from './use-save.ts'

/** The settings flow. If the session has ended, the page redirects to the sign-in. */
export function useSettings(): SettingsUse {
  const settings = useFlow(settingsFlow)
  const { refetch } = useAuth()
  const { finish } = settings
  const kind = settings.opened?.kind
  const hasNoSession = kind === 'sign-in' || kind === 'second-factor'
  useEffect(() => {
    if (!hasNoSession) return
    finish()
    void refetch()
  }, [hasNoSession, finish, refetch])
  return settings
}
