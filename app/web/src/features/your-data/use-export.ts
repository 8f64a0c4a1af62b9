import { useEffect, useState } from 'react'
import * as product from '../../../../../app.config.ts'
import { callApi, RequestFailed } from '../../api/request.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { useConfirmed } from '../../forms/settings/confirm.tsx'
import { recall, remember } from '../../ui/browser.ts'
import { saveFile } from '../../ui/save-file.ts'
import { yourDataTexts } from './texts.ts'

const texts = yourDataTexts.download
/** The user requested the download and is reauthenticating at a provider. */
const ASKED = 'export-asked'

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
      const answer = await confirmed(() => callApi('GET', '/account/export'))
      if (!answer) return
      saveFile(product.exportFile, JSON.stringify(answer.json, undefined, 2), 'application/json')
      setStatus(texts.done)
    } catch (thrown) {
      // This session has ended. The page redirects to the login and back.
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
