import { useState } from 'react'
import { useSessionEnded } from '../../account/use-session-ended.ts'
import { getJson, RequestFailed } from '../../request.ts'
import { yourDataTexts } from '../../texts/your-data.ts'
import { saveFile } from '../../ui/save-file.ts'

const texts = yourDataTexts.download

/** Fetches all data of the account and saves them as a file. */
export function useExport() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [status, setStatus] = useState<string>()
  useSessionEnded(failure)

  async function download() {
    setBusy(true)
    setFailure(undefined)
    setStatus(undefined)
    try {
      const { json } = await getJson('/api/v1/account/export')
      saveFile('my-app-data.json', JSON.stringify(json, undefined, 2), 'application/json')
      setStatus(texts.done)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return { download, isBusy, status, error: failure === undefined ? undefined : sentenceOf(failure) }
}

function sentenceOf(failure: unknown): string {
  return failure instanceof RequestFailed ? failure.message : texts.failed
}
