import type { Session } from '@ory/client-fetch'
import { readSettings } from '../env.ts'
import { rememberMethod } from './last-method.ts'
import { clearUserJwt, writeUserJwt } from './user-jwt-cookie.ts'

/** `isRecovering`: it came from a recovery, and a new password or another credential must be set first. */
export type OwnSession = Session & { readonly isRecovering?: boolean }

/** The session, none, or one that a second factor must complete. */
export type FoundSession = OwnSession | null | 'second-factor'

/**
 * Asks the identity service who is signed in and keeps the tokenized session in the cookie.
 * No session and an inactive one are null; throws when the service does not answer or fails.
 */
export async function fetchSession(): Promise<FoundSession> {
  const session = await askForSession()
  if (session === 'second-factor') {
    clearUserJwt()
    return session
  }
  if (!session?.active) {
    clearUserJwt()
    return null
  }
  rememberMethod(session)
  if (session.tokenized) writeUserJwt(session.tokenized)
  return { ...session, isRecovering: await isRecovering(session) }
}

async function isRecovering({ authentication_methods = [] }: Session): Promise<boolean> {
  if (!authentication_methods.some(({ method }) => method?.endsWith('_recovery'))) return false
  const { needsCredential } = await import('./needs-credential.ts')
  return await needsCredential()
}

async function askForSession(): Promise<Session | null | 'second-factor'> {
  // The client is a tenth of the home page's weight, and anonymous visits do without it.
  const { hasErrorId, identityClient, statusOf } = await import('../flow/client.ts')
  try {
    return await identityClient().toSession({ tokenizeAs: readSettings().token_template })
  } catch (error) {
    // 401 is the ordinary answer to a visitor.
    if (statusOf(error) === 401) return null
    if (await hasErrorId(error, 403, 'session_aal2_required')) return 'second-factor'
    throw error
  }
}
