import { getJson } from '../request.ts'

/** Only the product knows whether a credential was set since the recovery: the session itself does not change. */
export async function needsCredential(): Promise<boolean> {
  const { json } = await getJson('/api/v1/account/session')
  return (json as { recovering?: unknown } | null)?.recovering === true
}
