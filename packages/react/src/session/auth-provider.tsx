import { notifyManager, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useCallback, useMemo, useState } from 'react'
import { useRestored } from '../browser.ts'
import { type IdentityService, ServiceContext, useService } from '../service.ts'
import { useFreshSession } from './keep-session-fresh.ts'
import { endSession, fetchSession, type OwnSession, type SessionResult } from './session.ts'
import { SESSION_KEY, useAccountChanges, useSessionCache } from './session-cache.ts'
import { tellOtherTabs, useNewsOfOtherTabs } from './tab-channel.ts'
import { type Auth, AuthContext } from './use-auth.ts'
import { clearUserJwt, readUserJwt } from './user-jwt-cookie.ts'

interface AuthProviderProps {
  service: IdentityService
  children: ReactNode
}

/**
 * Fetches the session once at the start and provides it to the app. Needs a `QueryClientProvider` around it. When
 * another account replaces the one of the page, it empties that client's cache and renders its children anew.
 *
 * @example <AuthProvider service={service}>{children}</AuthProvider>
 */
export function AuthProvider({ service, children }: AuthProviderProps) {
  return (
    <ServiceContext value={service}>
      <Sessions>{children}</Sessions>
    </ServiceContext>
  )
}

function Sessions({ children }: Pick<AuthProviderProps, 'children'>) {
  const service = useService()
  const cache = useSessionCache()
  const query = useQuery({
    queryKey: SESSION_KEY,
    queryFn: async () => cache.admit(await loadSession(service, cache.isEmpty())),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const { refetch: fetchAgain, isFetching, isPending, isError, errorUpdateCount } = query
  // Also while it is tried again.
  const isUnreachable = isError || (isPending && errorUpdateCount > 0)
  const foundSession = isUnreachable ? null : (query.data ?? null)
  const needsSecondFactor = foundSession === 'second-factor'
  const session = needsSecondFactor ? null : foundSession
  const [hasSignedOut, setSignedOut] = useState(false)

  const forget = useCallback(async () => {
    await cache.cancel()
    clearUserJwt(service)
    setSignedOut(true)
    cache.clear()
  }, [service, cache])

  useFreshSession({ session, isUnreachable, keepSession: cache.keepSession })
  const renew = useCallback(async () => {
    setSignedOut(false)
    return await fetchAgain()
  }, [fetchAgain])
  useNewsOfOtherTabs(forget, renew)
  useCheckOnReturn(session, cache.keepSession, renew)

  const refetch = useCallback(async () => {
    const { data } = await renew()
    // Components are notified after a timer, and a guard would check the next page with the old session.
    await new Promise<void>((resolve) => notifyManager.schedule(resolve))
    if (data) tellOtherTabs({ kind: 'signed-in' })
  }, [renew])

  const logout = useCallback(async () => {
    await endSession(service)
    await forget()
    tellOtherTabs({ kind: 'signed-out' })
  }, [service, forget])

  const isAuthenticated = session?.active === true
  const isLoading = isFetching || isPending
  // Stable until a value changes, to avoid renders.
  const auth = useMemo<Auth>(
    () => ({
      session,
      isAuthenticated,
      needsSecondFactor,
      hasSignedOut,
      isLoading,
      isUnreachable,
      refetch,
      logout,
    }),
    [session, isAuthenticated, needsSecondFactor, hasSignedOut, isLoading, isUnreachable, refetch, logout],
  )
  return (
    <AuthContext value={auth}>
      <Fragment key={useAccountChanges(query.data)}>{children}</Fragment>
    </AuthContext>
  )
}

function useCheckOnReturn(
  session: OwnSession | null,
  keepSession: (foundSession: null) => void,
  renew: () => Promise<unknown>,
): void {
  useRestored(() => {
    // The session has probably ended, so the page is hidden until the service answers.
    if (session?.tokenized && !readUserJwt()) keepSession(null)
    void renew()
  })
}

async function loadSession(service: IdentityService, isFirst: boolean): Promise<SessionResult> {
  try {
    // Otherwise whoami would return 401.
    if (isFirst && service.mayHaveSession?.() === false) {
      clearUserJwt(service)
      return null
    }
    return await fetchSession(service)
  } catch (error) {
    console.error('Error fetching session', error)
    throw error
  }
}
