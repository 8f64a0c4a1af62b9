import { useState } from 'react'
import { useAuth } from '../../auth/use-auth.ts'
import { getJson, RequestFailed } from '../../request.ts'
import { yourDataTexts } from '../../texts/your-data.ts'
import { saveFile } from '../../ui/save-file.ts'

const texts = yourDataTexts.download

/** Fetches all data of the account and saves them as a file. */
export function useExport() {
  const { refetch } = useAuth()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [status, setStatus] = useState<string>()

  async function download() {
    setBusy(true)
    setError(undefined)
    setStatus(undefined)
    try {
      const { json } = await getJson('/api/v1/account/export')
      saveFile('my-app-data.json', JSON.stringify(json, undefined, 2), 'application/json')
      setStatus(texts.done)
    } catch (thrown) {
      // This session has ended: the page redirects to the sign-in and back.
      if (thrown instanceof RequestFailed && thrown.status === 401) await refetch()
      setError(thrown instanceof RequestFailed ? thrown.message : texts.failed)
    } finally {
      setBusy(false)
    }
  }

  return { download, isBusy, status, error }
}
