import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAuth } from '../../auth/use-auth.ts'
import { identityClient, statusOf } from '../../flow/client.ts'
import { devicesTexts } from '../../texts/devices.ts'

export const queryKey = ['account', 'devices']

/** In the place of a session's id. */
export const EVERYWHERE_ELSE = ''

/** Signs out one other device, or all; resolves to whether that succeeded. */
export function useEnding() {
  const cache = useQueryClient()
  const { refetch } = useAuth()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function end(id: string): Promise<boolean> {
    setBusy(true)
    setError(undefined)
    try {
      if (id === EVERYWHERE_ELSE) await identityClient().disableMyOtherSessions()
      else await identityClient().disableMySession({ id })
      await cache.invalidateQueries({ queryKey })
      return true
    } catch (thrown) {
      // This session has ended: the page redirects to the sign-in and back.
      if (statusOf(thrown) === 401) await refetch()
      setError(devicesTexts.failed)
      return false
    } finally {
      setBusy(false)
    }
  }

  return { end, isBusy, error }
}
