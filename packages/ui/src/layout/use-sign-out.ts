import { useAuth } from '@ostiary/react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as paths from '../paths.ts'

/** Ends the session and leads home. A failure is logged and shown. */
export function useSignOut() {
  const { logout } = useAuth()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  async function signOut(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setFailed(false)
    try {
      await logout()
      await navigate(paths.home)
    } catch (error) {
      console.error(error)
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, hasFailed, signOut: () => void signOut() }
}
