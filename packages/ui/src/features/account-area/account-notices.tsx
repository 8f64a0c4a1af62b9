import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { readSettings } from '../../api/env.ts'
import { callApi } from '../../api/request.ts'
import { Notice } from '../../ui/page.tsx'
import { accountAreaTexts } from './texts.ts'

export function WelcomeBack() {
  const { state } = useLocation() as { state: { recovered?: 'password' | 'passkey' } | null }
  const recovered = state?.recovered
  useEffect(() => {
    // The router restores `usr` on load. Without it, a reload does not greet again.
    if (recovered) history.replaceState({ ...history.state, usr: null }, '')
  }, [recovered])
  if (!recovered) return null
  return (
    <div className="mb-4">
      <Notice tone="done">{accountAreaTexts.welcomeBack[recovered]}</Notice>
    </div>
  )
}

const loadKeepAccount = () => import('./keep-account.tsx')
const KeepAccount = lazy(async () => ({ default: (await loadKeepAccount()).KeepAccount }))
const queryKey = ['account', 'deletion']

/** The date of the scheduled deletion. Null without one, or if it cannot be fetched. Undefined until then. */
export function useDueDate(): string | null | undefined {
  const { account_api: enabled } = readSettings()
  const { data, failureCount } = useQuery({
    queryKey,
    async queryFn() {
      const { due_at } = (await callApi('GET', '/account/deletion')).json
      // So that the question appears at once.
      if (due_at) await loadKeepAccount()
      return due_at
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return enabled && failureCount === 0 ? data : (data ?? null)
}

/** Asks whether to keep the account. Lazy, because few users see it. */
export function ScheduledDeletion() {
  const cache = useQueryClient()
  const [isAnswered, setAnswered] = useState(false)
  const due = useDueDate()
  if (!due && !isAnswered) return null
  const answer = () => {
    setAnswered(true)
    cache.setQueryData(queryKey, null)
  }
  return (
    <Suspense>
      <KeepAccount due={due ?? null} onAnswer={answer} />
    </Suspense>
  )
}
