import { useState } from 'react'
import { callApi, RequestFailed } from '../../api/request.ts'
import { leaveUntilDeletion } from '../../auth/session.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { useConfirmed } from '../../forms/settings/confirm.tsx'
import { Confirmation } from '../../ui/card.tsx'
import { yourDataTexts } from './texts.ts'

const texts = yourDataTexts.deletion

/** Asks, lets the user reauthenticate, and requests the deletion. */
export function DeleteAccount({ onCancel }: { onCancel(): void }) {
  const { isBusy, error, request } = useDeletion()
  return (
    <Confirmation
      button={texts.button}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void request()}
      onCancel={onCancel}
    >
      <p className="font-medium">{texts.ask}</p>
      <ul className="grid list-outside list-disc ps-5 gap-1">
        {texts.consequences.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Confirmation>
  )
}

function useDeletion() {
  const confirmed = useConfirmed()
  const { logout, refetch } = useAuth()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function send(): Promise<string> {
    return (await callApi('POST', '/account/deletion')).json.due_at
  }

  async function request() {
    setBusy(true)
    setError(undefined)
    try {
      const due = await confirmed(send)
      if (due === undefined) return
      await logout()
      leaveUntilDeletion(due)
    } catch (thrown) {
      if (thrown instanceof RequestFailed && thrown.status === 401) await refetch()
      setError(thrown instanceof RequestFailed ? thrown.message : texts.failed)
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, error, request }
}
