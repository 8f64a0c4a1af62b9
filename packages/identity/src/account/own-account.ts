import { configOf, type Key, keysOf, removalId, UNNAMED } from '../authenticators/keys.ts'
import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { countFirstFactors } from '../identities/factors.ts'
import { providersOf } from '../identities/provider-accounts.ts'
import { publicIdentity } from '../identities/show.ts'
import { canonicalUuid } from '../input/plain-text.ts'
import { findPrivilegedSession, sessionState } from '../sessions/find.ts'
import { listEvents } from '../storage/events.ts'
import { findDueDate } from '../storage/identities/account-deletions.ts'
import { listAddressChanges } from '../storage/identities/address-changes.ts'
import { type Credential, listCredentials, updateCredentialOnce } from '../storage/identities/credentials.ts'
import { lockIdentity } from '../storage/identities/identities.ts'
import { findSession, listSessions, type StoredSession } from '../storage/sessions/sessions.ts'
import { cancelDeletionBy, requestDeletion } from './deletion.ts'

export type OwnAccount = ReturnType<typeof ownAccount>

/** The caller must authenticate the owner. */
export function ownAccount(ctx: () => Context) {
  return {
    credentials: (identity_id: string) => describeCredentials(ctx(), identity_id),
    renamePasskey: (identity_id: string, id: string, name: string) =>
      renamePasskey(ctx(), identity_id, id, name),
    exportAll: (session_id: string) => exportAccount(ctx(), session_id),
    requestDeletion: (session_id: string) => requestDeletion(ctx(), session_id),
    deletionDue: (identity_id: string) => findDueDate(ctx().db, identity_id),
    cancelDeletion: (session_id: string) => cancelDeletionBy(ctx(), session_id),
    /** True until the user of a recovery session sets a credential. */
    isRecovering: (session_id: string) => isRecovering(ctx(), session_id),
    sessionActivity: (identity_id: string) => sessionActivity(ctx(), identity_id),
  }
}

async function describeCredentials(ctx: Context, identityId: string) {
  const credentials = await listCredentials(ctx.db, identityId)
  const find = (type: string) => credentials.find((credential) => credential.type === type)
  const [password, totp, codes, oidc] = [find('password'), find('totp'), find('lookup_secret'), find('oidc')]
  return {
    // Provider accounts also have a password credential, without a hash.
    ...(typeof password?.config.hashed_password === 'string' && {
      // A new hash of the same password keeps the version.
      password: { changed_at: password.version === 0 ? password.created_at : password.updated_at },
    }),
    passkeys: keysOf(find('passkey')).map(describeKey),
    ...(totp && { totp: { created_at: totp.created_at } }),
    ...(codes && { backup_codes: countCodes(codes) }),
    connections: providersOf(oidc).map(({ provider, subject, account, connected_at }) => ({
      provider: String(provider),
      subject: String(subject),
      // Unknown for imported connections.
      ...(typeof account === 'string' && { account }),
      connected_at: String(connected_at ?? oidc?.created_at),
    })),
  }
}

async function renamePasskey(ctx: Context, identityId: string, id: string, name: string) {
  return await transact(ctx, async (ctx) => {
    await lockIdentity(ctx.db, identityId)
    const credential = (await listCredentials(ctx.db, identityId)).find(({ type }) => type === 'passkey')
    const keys = keysOf(credential)
    if (!credential || !keys.some((key) => removalId(key) === id)) return false
    const renamed = keys.map((key) => (removalId(key) === id ? { ...key, display_name: name } : key))
    const config = { ...credential.config, ...configOf(renamed) }
    return await updateCredentialOnce(ctx.db, credential, config, ctx.now().toISOString())
  })
}

function describeKey(key: Key) {
  return {
    id: removalId(key),
    ...(key.display_name !== UNNAMED && { name: key.display_name }),
    aaguid: aaguidOf(key),
    ...(key.added_in !== undefined && { added_in: key.added_in }),
    created_at: key.added_at,
    ...(key.last_used_at !== undefined && { last_used_at: key.last_used_at }),
  }
}

function aaguidOf({ authenticator: { aaguid } }: Key): string {
  return canonicalUuid(aaguid) ?? canonicalUuid(Buffer.from(aaguid, 'base64').toString('hex')) ?? aaguid
}

function countCodes({ config, created_at }: Credential) {
  const codes = Array.isArray(config.recovery_codes) ? config.recovery_codes : []
  const unusedCount = codes.filter((code) => (code as { used_at?: unknown } | null)?.used_at === null).length
  return { left: unusedCount, total: codes.length, created_at }
}

const ALL_ROWS = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }

async function exportAccount(ctx: Context, sessionId: string) {
  const foundSession = await findPrivilegedSession(ctx, sessionId)
  if ('kind' in foundSession) return foundSession
  const { identity } = foundSession
  const sessions = await listSessions(ctx.db, { identity_id: identity.id, ...ALL_ROWS })
  const events = await listEvents(ctx.db, identity.id, ALL_ROWS)
  const product = await ctx.product.exportData(ctx, identity.id)
  const data = {
    exported_at: ctx.now().toISOString(),
    identity: publicIdentity(ctx, identity),
    address_changes: await listAddressChanges(ctx.db, identity.id),
    credentials: await describeCredentials(ctx, identity.id),
    sessions: sessions.map(({ identity_id: _, ...session }) => session),
    ...(product && { product }),
    events: events.map(({ identity_id: _, ...event }) => event),
  }
  return { kind: 'exported', data } as const
}

/**
 * A product that requires a new password after a recovery can block the session until then. Kratos
 * does not.
 */
async function isRecovering(ctx: Context, sessionId: string): Promise<boolean> {
  const foundSession = await findSession(ctx.db, sessionId)
  if (!foundSession || !isOnlyRecovered(foundSession.session)) return false
  const { session, identity } = foundSession
  const credentials = await listCredentials(ctx.db, identity.id)
  const setSince = credentials.filter(({ updated_at }) => updated_at > session.issued_at)
  return countFirstFactors(ctx, setSince) === 0
}

function isOnlyRecovered({ methods }: StoredSession): boolean {
  const first = methods.filter(({ aal }) => aal === 'aal1')
  return first.length > 0 && first.every(({ method }) => RECOVERIES.includes(method))
}

const RECOVERIES: readonly string[] = ['code_recovery', 'link_recovery']

/** The last use by session id, to the minute. Not part of the protocol. */
async function sessionActivity(ctx: Context, identity_id: string): Promise<Readonly<Record<string, string>>> {
  const sessions = await listSessions(ctx.db, {
    identity_id,
    ...sessionState(ctx, 'live'),
    limit: MOST_SESSIONS,
    offset: 0,
  })
  return Object.fromEntries(
    sessions.map(({ id, last_active_at, authenticated_at }) => [id, last_active_at ?? authenticated_at]),
  )
}

/** Exceeds the maximum of sessions per account. */
const MOST_SESSIONS = 250
