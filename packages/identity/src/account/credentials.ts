import { configOf, type Key, keysOf, removalId, UNNAMED } from '../authenticators/keys.ts'
import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { providersOf } from '../identities/provider-accounts.ts'
import { canonicalUuid } from '../input/plain-text.ts'
import { type Credential, listCredentials, updateCredentialOnce } from '../storage/identities/credentials.ts'
import { lockIdentity } from '../storage/identities/identities.ts'

export async function describeCredentials(ctx: Context, identityId: string) {
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

export async function renamePasskey(ctx: Context, identityId: string, id: string, name: string) {
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
