import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAuth } from '../auth/use-auth.ts'
import * as paths from '../paths.ts'

/** Ends the session and leads home; a failure is logged and changes nothing. */
export function useSignOut() {
  const { logout } = useAuth()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)

  async function signOut(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    try {
      await logout()
      await navigate(paths.home)
    } catch (error) {
      console.error(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, signOut: () => void signOut() }
}
