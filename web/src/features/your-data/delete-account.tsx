import { useState } from 'react'
import { useConfirm } from '../../account/confirm.tsx'
import { useAuth } from '../../auth/use-auth.ts'
import { RequestFailed, sendJson } from '../../request.ts'
import { yourDataTexts } from '../../texts/your-data.ts'
import { Confirmation } from '../../ui/confirmation.ts'

const texts = yourDataTexts.deletion

/** Asks first, lets the user reauthenticate, and requests the deletion. */
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
  const confirm = useConfirm()
  const { logout, refetch } = useAuth()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function send(): Promise<string> {
    const answer = (await sendJson('POST', '/api/v1/account/deletion', {})) as { due_at: string }
    return answer.due_at
  }

  /** Undefined where the user did not confirm who they are. */
  async function sendConfirmed(): Promise<string | undefined> {
    try {
      return await send()
    } catch (thrown) {
      if (!(thrown instanceof RequestFailed) || thrown.status !== 403) throw thrown
      return (await confirm()) ? await send() : undefined
    }
  }

  async function request() {
    setBusy(true)
    setError(undefined)
    try {
      const due = await sendConfirmed()
      if (due === undefined) return
      // The service has ended the session; this clears what the browser still holds.
      await logout()
      // A full page load: nothing of the account stays in memory.
      location.assign(`/login?deletes=${encodeURIComponent(due)}`)
    } catch (thrown) {
      if (thrown instanceof RequestFailed && thrown.status === 401) await refetch()
      setError(thrown instanceof RequestFailed ? thrown.message : texts.failed)
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, error, request }
}
