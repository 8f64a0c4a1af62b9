import { type AnyFlow, type FlowCalls, type UsedFlow, useFlow as useHeadlessFlow } from '@ostiary/react'
import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { leaveFor } from '../ui/browser.ts'
import { useOnward } from './onward.tsx'

/** The flow of the page's address. */
export function useFlow<F extends AnyFlow, Body>(calls: FlowCalls<F, Body>): UsedFlow<F, Body> {
  const [search, setSearch] = useSearchParams()
  const { after, login_challenge: known } = useOnward()
  const name = useCallback(
    (id: string, login_challenge = known) => {
      const renamed = (search: URLSearchParams) =>
        new URLSearchParams({ ...Object.fromEntries(search), flow: id })
      setSearch(renamed, { replace: true, state: { after, login_challenge } })
    },
    [setSearch, after, known],
  )
  const used = useHeadlessFlow(calls, { id: search.get('flow') ?? undefined, loginChallenge: known, name })
  const { opened } = used
  useEffect(() => {
    if (opened?.kind === 'go') leaveFor(opened.url)
  }, [opened])
  return used
}
