import { useAuth } from '@ostiary/react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import * as paths from '../paths.ts'

/** Ends the session and leads home. A failure is logged and shown. */
export function useSignOut() {
  const { logout } = useAuth()
  const navigate = useNavigate()
  const { mutate, isPending, isError } = useMutation({
    async mutationFn() {
      await logout()
      await navigate(paths.home)
    },
    onError: (error) => console.error(error),
  })
  return { isBusy: isPending, hasFailed: isError, signOut: () => (isPending ? undefined : mutate()) }
}
