import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { leaveFor } from '../ui/browser.ts'
import { useReturnTarget } from './return-target.tsx'

/**
 * The flow of the page's address, for a hook of `@ostiary/react`; `aal` for a login.
 *
 * @example const login = useLogin({ ...useFlowInUrl(), onNext: useNext() })
 */
export function useFlowInUrl() {
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
  const id = search.get('flow') ?? undefined
  return { id, loginChallenge: known, onFlowId, namesNewFlows: false, onLeave: leaveFor, aal }
}
