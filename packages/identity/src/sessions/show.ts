import type { Context } from '../contract/contract.ts'
import { publicIdentity } from '../identities/show.ts'
import type { SessionAndIdentity } from '../storage/sessions/sessions.ts'
import type { Identity } from '../wire/identity.ts'
import type { Session } from '../wire/session.ts'
import { wantsSecondFactor } from './aal.ts'
import { isLive } from './find.ts'

export type PublicSession = Session & { readonly identity: Identity }

export function publicSession(ctx: Context, foundSession: SessionAndIdentity): PublicSession {
  const { session, identity } = foundSession
  return {
    id: session.id,
    active: isLive(ctx, foundSession),
    expires_at: session.expires_at,
    authenticated_at: session.authenticated_at,
    authenticator_assurance_level: session.aal,
    authentication_methods: session.methods,
    issued_at: session.issued_at,
    identity: publicIdentity(ctx, identity),
    devices: session.devices,
  }
}

/** No identity until the second factor is complete (SEC-73). */
export function deliveredSession(ctx: Context, foundSession: SessionAndIdentity): Session {
  const session = publicSession(ctx, foundSession)
  return wantsSecondFactor(ctx, foundSession) ? { ...session, identity: null } : session
}
