import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { readSettings } from '../../api/env.ts'
import { callApi } from '../../api/request.ts'
import { deletionKey } from '../../auth/deletion.ts'
import { Notice } from '../../ui/page.tsx'
import { accountAreaTexts } from './texts.ts'

/**
 * Greets a user who has just recovered the account.
 *
 * @example <WelcomeBack />
 */
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

/**
 * The date of the scheduled deletion. Null without one, or if it cannot be fetched. Undefined until then.
 *
 * @example const isKept = useScheduledDeletion() === null
 */
export function useScheduledDeletion(): string | null | undefined {
  return useDeletion()?.due
}

function useDeletion() {
  const { account_api: enabled } = readSettings()
  const { data, failureCount } = useQuery({
    queryKey: deletionKey,
    async queryFn() {
      const { due_at: due } = (await callApi('GET', '/account/deletion')).json
      // Few users see the question. It comes with the date, so that it appears at once.
      const Question = due ? (await import('./keep-account.tsx')).KeepAccount : undefined
      return { due, Question }
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return enabled && failureCount === 0 ? data : (data ?? { due: null, Question: undefined })
}

/**
 * Asks whether to keep an account that is about to be deleted.
 *
 * @example <ScheduledDeletion />
 */
export function ScheduledDeletion() {
  const cache = useQueryClient()
  const [isAnswered, setAnswered] = useState(false)
  const { due = null, Question } = useDeletion() ?? {}
  if (!Question || (!due && !isAnswered)) return null
  const answer = () => {
    setAnswered(true)
    cache.setQueryData(deletionKey, { due: null, Question })
  }
  return <Question due={due} onAnswer={answer} />
}
