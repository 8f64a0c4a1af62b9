import { useAuth } from '@ostiary/react'
import { identityClient, statusOf, useService } from '@ostiary/react/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Confirmation } from '../../ui/disclosure.ts'
import { devicesTexts } from './texts.ts'

export const queryKey = ['account', 'devices']

export const EVERYWHERE_ELSE = ''

interface SignOutPanelProps {
  id: string
  button: readonly [string, string]
  question: string
  children: ReactNode
  onEnded(): void
  onCancel(): void
}

/** Asks before it logs out one other device, or all. */
export function SignOutPanel({ id, button, question, children, onEnded, onCancel }: SignOutPanelProps) {
  const client = identityClient(useService())
  const cache = useQueryClient()
  const { refetch } = useAuth()
  const { mutate, isPending, isError } = useMutation({
    async mutationFn() {
      if (id === EVERYWHERE_ELSE) await client.disableMyOtherSessions()
      else await client.disableMySession({ id })
      await cache.invalidateQueries({ queryKey })
    },
    onSuccess: onEnded,
    async onError(error) {
      // This session has ended. The page redirects to the login and back.
      if (statusOf(error) === 401) await refetch()
    },
  })
  return (
    <Confirmation
      question={question}
      button={button}
      isBusy={isPending}
      error={isError ? devicesTexts.failed : undefined}
      onConfirm={mutate}
      onCancel={onCancel}
    >
      <p>{children}</p>
    </Confirmation>
  )
}
