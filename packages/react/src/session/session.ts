import type { Identity, Session } from '@ory/client-fetch'
import { recall, remember } from '../browser.ts'
import type { IdentityService } from '../service.ts'
import { traitsOf } from './use-auth.ts'
import { clearUserJwt, writeUserJwt } from './user-jwt-cookie.ts'

/** A product declares the traits of its accounts here by declaration merging: `readonly traits: { … }`. */
// biome-ignore lint/suspicious/noEmptyInterface: products add members
export interface Register {}

export interface UsualTraits {
  readonly email?: string
  /** A schema may also divide it. */
  readonly name?: unknown
}

export type Traits = Register extends { readonly traits: infer Own } ? Own : UsualTraits

export interface OwnSession extends Omit<Session, 'identity'> {
  readonly identity?: Omit<Identity, 'traits'> & { readonly traits: Traits }
  /** A recovery started it, and the user must set a new credential first. */
  readonly isRecovering?: boolean
}

export type SessionResult = OwnSession | null | 'second-factor'

/**
 * Fetches the session and stores its token in the cookie. Resolves to null without an active session, and
 * throws if the service fails.
 */
export async function fetchSession(service: IdentityService): Promise<SessionResult> {
  const session = await askForSession(service)
  if (session === 'second-factor') {
    clearUserJwt(service)
    return session
  }
  if (!session?.active) {
    clearUserJwt(service)
    return null
  }
  rememberLogin(session)
  if (session.tokenized) writeUserJwt(session.tokenized, service)
  return { ...session, isRecovering: await isRecovering(session, service) }
}

/** The session itself does not change when a credential is set. Only the product knows. */
async function isRecovering(session: Session, service: IdentityService): Promise<boolean> {
  return startedByRecovery(session) && ((await service.needsCredential?.(session)) ?? false)
}

export function startedByRecovery({ authentication_methods = [] }: Session): boolean {
  return authentication_methods.some(({ method }) => method?.endsWith('_recovery'))
}

async function askForSession(service: IdentityService): Promise<Session | null | 'second-factor'> {
  // The client is a tenth of the weight of the home page, and anonymous visits do not need it.
  const { hasErrorId, identityClient, statusOf } = await import('../flow/client.ts')
  try {
    return await identityClient(service).toSession({ tokenizeAs: service.tokenizeAs })
  } catch (error) {
    // 401 is the ordinary answer to a visitor.
    if (statusOf(error) === 401) return null
    if (await hasErrorId(error, 403, 'session_aal2_required')) return 'second-factor'
    throw error
  }
}

const LAST_METHOD = 'last-method'
const LAST_EMAIL = 'last-email'
/** Until a logout in this browser. */
const SIGNED_IN = 'signed-in'

/** Remembers what the login form fills in and marks next time. */
function rememberLogin({ authentication_methods: [first] = [], identity }: Session): void {
  remember(LAST_METHOD, first?.provider ?? first?.method ?? null)
  remember(LAST_EMAIL, traitsOf(identity).email ?? null)
  remember(SIGNED_IN, 'yes')
}

/** A provider or a method of the protocol. */
export const lastMethod = () => recall(LAST_METHOD)
export const lastEmail = () => recall(LAST_EMAIL)

/** Without a session now, it ended elsewhere: it expired, or another device ended it. */
export const wasSignedIn = () => Boolean(recall(SIGNED_IN))

/** For shared computers. */
export function forgetLastLogin(): void {
  for (const key of [LAST_METHOD, LAST_EMAIL, SIGNED_IN]) remember(key, null)
}

/** Requests a logout token and redeems it. An expired session counts as ended. */
export async function endSession(service: IdentityService): Promise<void> {
  const { identityClient, statusOf } = await import('../flow/client.ts')
  try {
    const { logout_token: token } = await identityClient(service).createBrowserLogoutFlow()
    await identityClient(service).updateLogoutFlow({ token })
  } catch (cause) {
    if (statusOf(cause) !== 401) throw new Error('could not be logged out', { cause })
  }
  remember(SIGNED_IN, null)
}
