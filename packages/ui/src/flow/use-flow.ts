import {
  type AnyFlow,
  type FlowCalls,
  type UsedFlow,
  useAuth,
  useFlow as useHeadlessFlow,
} from '@ostiary/react'
import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { hasSessionHint } from '../api/service.ts'
import { leaveFor } from '../ui/browser.ts'
import { useReturnTarget } from './return-target.tsx'

/**
 * The flow of the page's address, for a hook of `@ostiary/react`; `aal` for a login.
 *
 * @example const login = useLogin({ ...useFlowInAddress(), onNext: useNext() })
 */
export function useFlowInAddress() {
  const [search, setSearch] = useSearchParams()
  const { after, login_challenge: known } = useReturnTarget()
  const onFlowId = useCallback(
    (id: string, login_challenge = known) => {
      const withFlow = (search: URLSearchParams) =>
        new URLSearchParams({ ...Object.fromEntries(search), flow: id })
      setSearch(withFlow, { replace: true, state: { after, login_challenge } })
    },
    [setSearch, after, known],
  )
  const aal = search.get('aal') === 'aal2' ? ('aal2' as const) : ('aal1' as const)
  return { id: search.get('flow') ?? undefined, loginChallenge: known, onFlowId, aal }
}

export function useFlow<F extends AnyFlow, Body>(
  calls: FlowCalls<F, Body>,
  enabled = true,
): UsedFlow<F, Body> {
  const place = useFlowInAddress()
  const isNew = place.id === undefined && place.loginChallenge === undefined
  const isRefused = useMayBeSignedIn() && isNew && FOR_VISITORS.includes(calls.kind)
  const usedFlow = useHeadlessFlow(calls, { ...place, enabled: enabled && !isRefused })
  const { opened } = usedFlow
  useEffect(() => {
    if (opened?.kind === 'go') leaveFor(opened.url)
  }, [opened])
  return usedFlow
}

/** The service answers 400 if a user begins one. */
const FOR_VISITORS = ['login', 'registration', 'recovery']

function useMayBeSignedIn(): boolean {
  const { isAuthenticated, isLoading, isUnreachable } = useAuth()
  return isAuthenticated || (isLoading && !isUnreachable && hasSessionHint())
}
