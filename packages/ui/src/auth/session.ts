import type { Session } from '@ory/client-fetch'
import { readSettings } from '../api/env.ts'
import { callApi } from '../api/request.ts'
import * as paths from '../paths.ts'
import { entranceTo } from '../routes.ts'
import { leaveFor, recall, remember } from '../ui/browser.ts'
import { traitsOf } from './use-auth.ts'
import { clearUserJwt, writeUserJwt } from './user-jwt-cookie.ts'

/** `isRecovering`: a recovery started it, and the user must set a new credential first. */
export type OwnSession = Session & { readonly isRecovering?: boolean }

export type FoundSession = OwnSession | null | 'second-factor'

/**
 * Fetches the session and stores its token in the cookie. Resolves to null without an active session, and
 * throws if the service fails.
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
  rememberLogin(session)
  if (session.tokenized) writeUserJwt(session.tokenized)
  return { ...session, isRecovering: await isRecovering(session) }
}

async function isRecovering({ authentication_methods = [] }: Session): Promise<boolean> {
  if (!authentication_methods.some(({ method }) => method?.endsWith('_recovery'))) return false
  return await needsCredential()
}

async function askForSession(): Promise<Session | null | 'second-factor'> {
  // The client is a tenth of the weight of the home page, and anonymous visits do not need it.
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

/** The session itself does not change when a credential is set. Only the product knows. */
async function needsCredential(): Promise<boolean> {
  return (await callApi('GET', '/account/session')).json.recovering
}

const LAST_METHOD = 'last-method'
const LAST_EMAIL = 'last-email'
export const LAST_FACTOR = 'last-factor'

/** Remembers what the login form fills in and marks next time. */
function rememberLogin({ authentication_methods: [first] = [], identity }: Session): void {
  remember(LAST_METHOD, first?.provider ?? first?.method ?? null)
  remember(LAST_EMAIL, traitsOf(identity).email ?? null)
}

/** A provider or a method of the protocol. */
export const lastMethod = () => recall(LAST_METHOD)
export const lastEmail = () => recall(LAST_EMAIL)

/** For shared computers. */
export function forgetLastLogin(): void {
  for (const key of [LAST_METHOD, LAST_EMAIL, LAST_FACTOR]) remember(key, null)
}

/** The server sets the cookie with each page whose request carried a possible session cookie. */
export function hasSessionHint(): boolean {
  return /(^|; )session_hint=/.test(document.cookie)
}

/** Otherwise whoami would return 401. */
export function mayHaveSession(): boolean {
  return hasSessionHint() || entranceTo(location.pathname) !== undefined
}

/** Requests a logout token and redeems it. An expired session counts as ended. */
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

/** Opens the login page, which announces the date of the deletion once. A link cannot fake it. */
export function leaveUntilDeletion(due: string): void {
  remember(DELETES_ON, due, 'sessionStorage')
  // A full page load: nothing of the account stays in memory.
  leaveFor(paths.login)
}

export const announcedDeletion = () => recall(DELETES_ON, 'sessionStorage')
export const forgetAnnouncedDeletion = () => remember(DELETES_ON, null, 'sessionStorage')
