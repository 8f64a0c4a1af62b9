import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { SessionResult } from './session.ts'

/** The session's key in the query cache. */
export const SESSION_KEY = ['session']

/** Keeps the session. Drops everything else as soon as it belongs to another account. */
export function useSessionCache() {
  const cache = useQueryClient()
  return useMemo(() => {
    let owner: string | undefined
    const isEmpty = () => cache.getQueryData(SESSION_KEY) === undefined
    const dropOthers = () => {
      owner = undefined
      cache.removeQueries({ predicate: ({ queryKey: [first] }) => first !== SESSION_KEY[0] })
    }
    const admit = (next: SessionResult) => {
      const nextOwner = ownerOf(next)
      if (owner && nextOwner && owner !== nextOwner) dropOthers()
      owner = nextOwner ?? owner
      return next
    }
    const keepSession = (next: SessionResult) => void cache.setQueryData(SESSION_KEY, admit(next))
    const cancel = () => cache.cancelQueries({ queryKey: SESSION_KEY })
    const clear = () => {
      dropOthers()
      keepSession(null)
    }
    return { isEmpty, admit, keepSession, cancel, clear }
  }, [cache])
}

/** Counts how often another account replaced the one of the page. As a key, it resets what the page holds. */
export function useAccountChanges(session: SessionResult | undefined): number {
  const owner = ownerOf(session)
  const [last, setLast] = useState({ owner, changes: 0 })
  if (owner !== last.owner) setLast({ owner, changes: last.owner && owner ? last.changes + 1 : last.changes })
  return last.changes
}

function ownerOf(session: SessionResult | undefined): string | undefined {
  return typeof session === 'object' ? session?.identity?.id : undefined
}
