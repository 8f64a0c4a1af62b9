import { useEffect, useState } from 'react'
import { getJson, RequestFailed } from '../../api/request.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { useConfirmed } from '../../forms/settings/confirm.tsx'
import { recall, remember, saveFile } from '../../ui/browser.ts'
import { yourDataTexts } from './texts.ts'

const texts = yourDataTexts.download
/** The user asked for the download, and is at a provider to confirm who they are. */
const ASKED = 'export-asked'

/** Lets the user reauthenticate, fetches all data of the account and saves them as a file. */
export function useExport() {
  const { refetch } = useAuth()
  const confirmed = useConfirmed(ASKED)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [status, setStatus] = useState<string>()

  async function download() {
    setBusy(true)
    setError(undefined)
    setStatus(undefined)
    try {
      const answer = await confirmed(() => getJson('/api/v1/account/export'))
      if (!answer) return
      saveFile('my-app-data.json', JSON.stringify(answer.json, undefined, 2), 'application/json')
      setStatus(texts.done)
    } catch (thrown) {
      // This session has ended: the page redirects to the sign-in and back.
      if (thrown instanceof RequestFailed && thrown.status === 401) await refetch()
      setError(thrown instanceof RequestFailed ? thrown.message : texts.failed)
    } finally {
      setBusy(false)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (!recall(ASKED, 'sessionStorage')) return
    remember(ASKED, null, 'sessionStorage')
    void download()
  }, [])

  return { download, isBusy, status, error }
}
