import type { Session } from '@ory/client-fetch'
import { readSettings } from '../env.ts'
import { rememberMethod } from './last-method.ts'
import { clearUserJwt, writeUserJwt } from './user-jwt-cookie.ts'

/**
 * Asks the identity service who is signed in and keeps the tokenized session in the cookie.
 * No session and an inactive one are null; throws when the service does not answer or fails.
 */
export async function fetchSession(): Promise<Session | null> {
  const session = await askForSession()
  if (!session?.active) {
    clearUserJwt()
    return null
  }
  rememberMethod(session)
  if (session.tokenized) writeUserJwt(session.tokenized)
  return session
}

async function askForSession(): Promise<Session | null> {
  // The client is a tenth of the home page's weight, and anonymous visits do without it.
  const { identityClient, statusOf } = await import('../flow/client.ts')
  try {
    return await identityClient().toSession({ tokenizeAs: readSettings().token_template })
  } catch (error) {
    // 401 is the ordinary answer to a visitor.
    if (statusOf(error) === 401) return null
    throw error
  }
}
