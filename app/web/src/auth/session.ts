import type { Session } from '@ory/client-fetch'
import { readSettings } from '../api/env.ts'
import { getJson } from '../api/request.ts'
import * as paths from '../paths.ts'
import { entranceTo } from '../paths.ts'
import { recall, remember } from '../ui/browser.ts'
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

/** Only the product knows whether a credential was set since the recovery: the session itself does not change. */
async function needsCredential(): Promise<boolean> {
  const { json } = await getJson('/api/v1/account/session')
  return (json as { recovering?: unknown } | null)?.recovering === true
}

const LAST_METHOD = 'last-method'

/** Keeps how the user signed in, so that the form can say so the next time. */
function rememberMethod({ authentication_methods: [first] = [] }: Session): void {
  remember(LAST_METHOD, first?.provider ?? first?.method ?? '')
}

/** A provider or a method of the protocol. */
export function lastMethod(): string | null | undefined {
  return recall(LAST_METHOD)
}

const hint = /(^|; )session_hint=/

/**
 * False where asking for the session could only be answered with 401: the server sets the cookie with each page whose
 * request carried a cookie that may be a session's.
 */
export function mayHaveSession(): boolean {
  return hint.test(document.cookie) || entranceTo(location.pathname) !== undefined
}

/** Asks for a logout token and redeems it. A session that is already over counts as ended. */
export async function endSession(): Promise<void> {
  const { identityClient, statusOf } = await import('../flow/client.ts')
  try {
    const { logout_token: token } = await identityClient().createBrowserLogoutFlow()
    await identityClient().updateLogoutFlow({ token })
  } catch (cause) {
    if (statusOf(cause) === 401) return
    throw new Error('could not be logged out', { cause })
  }
}

const DELETES_ON = 'deletes-on'

/** Leads to the sign-in page, which says once when the account will be deleted. A link cannot claim it. */
export function leaveUntilDeletion(due: string): void {
  remember(DELETES_ON, due, 'sessionStorage')
  // A full page load: nothing of the account stays in memory.
  location.assign(paths.login)
}

export const announcedDeletion = () => recall(DELETES_ON, 'sessionStorage')
export const forgetAnnouncedDeletion = () => remember(DELETES_ON, null, 'sessionStorage')
