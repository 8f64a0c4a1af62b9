import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAuth } from '../../auth/use-auth.ts'
import { identityClient, statusOf } from '../../flow/client.ts'
import { Confirmation } from '../../ui/card.tsx'
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
  const { end, isBusy, error } = useEnding()
  return (
    <Confirmation
      button={button}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void end(id).then((isEnded) => isEnded && onEnded())}
      onCancel={onCancel}
    >
      <p className="font-medium">{question}</p>
      <p>{children}</p>
    </Confirmation>
  )
}

function useEnding() {
  const cache = useQueryClient()
  const { refetch } = useAuth()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function end(id: string): Promise<boolean> {
    setBusy(true)
    setError(undefined)
    try {
      if (id === EVERYWHERE_ELSE) await identityClient().disableMyOtherSessions()
      else await identityClient().disableMySession({ id })
      await cache.invalidateQueries({ queryKey })
      return true
    } catch (thrown) {
      // This session has ended. The page redirects to the login and back.
      if (statusOf(thrown) === 401) await refetch()
      setError(devicesTexts.failed)
      return false
    } finally {
      setBusy(false)
    }
  }

  return { end, isBusy, error }
}
