import type { Config } from '../config/config.ts'
import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { type Jwk, newSigningKey, publicJwk } from '../crypto/jwt.ts'
import { STORED_PURPOSES } from '../crypto/secrets.ts'
import type { SigningKey } from '../storage/signing-keys.ts'
import { findSigningKey, listPublicKeys, replaceSigningKey } from '../storage/signing-keys.ts'

export type Template = NonNullable<Config['session']['whoami']['tokenizer']['templates'][string]>

const DAY_MS = 24 * 3_600_000
const SIGNS_FOR_MS = 30 * DAY_MS
/** Allows for clock differences and a verifier's tolerance. */
const MARGIN_MS = 3_600_000
const PURPOSE = STORED_PURPOSES.signing_key

/** The first configured key, or a generated one, rotated every 30 days. */
export async function signingKey(ctx: Context, name: string, template: Template): Promise<Jwk> {
  const [configured] = template.jwks?.keys ?? []
  if (configured) return configured
  const current = await findSigningKey(ctx.db, name)
  const key = current && !isDue(ctx, current) ? unseal(ctx, current) : undefined
  return key ?? (await replaceKey(ctx, name, template, current))
}

/** Includes retired keys, whose tokens may still be valid. */
export async function publicKeysOf(ctx: Context, name: string, template: Template): Promise<Jwk[]> {
  if (template.jwks) return template.jwks.keys.flatMap((key) => publicJwk(key) ?? [])
  // Verifiers may start before the first token.
  await signingKey(ctx, name, template)
  const rows = await listPublicKeys(ctx.db, name, ctx.now().toISOString())
  return rows.map((row) => JSON.parse(row) as Jwk)
}

function isDue(ctx: Context, key: SigningKey): boolean {
  return ctx.now().getTime() - Date.parse(key.created_at) >= SIGNS_FOR_MS
}

/** Concurrent replicas both read the key stored first. */
async function replaceKey(ctx: Context, name: string, template: Template, current: SigningKey | undefined) {
  const jwk = await newSigningKey()
  const now = ctx.now().getTime()
  const next: SigningKey = {
    id: `${name}#${placeOf(current) + 1}`,
    template: name,
    private_jwk: ctx.secrets.encrypt(PURPOSE, JSON.stringify(jwk)),
    public_jwk: JSON.stringify(publicJwk(jwk)),
    created_at: new Date(now).toISOString(),
    retired_at: null,
    expires_at: new Date(now + SIGNS_FOR_MS + template.ttl + MARGIN_MS).toISOString(),
  }
  const previous = current && { id: current.id, expires_at: endOf(current, now + template.ttl + MARGIN_MS) }
  await transact(ctx, (ctx) => replaceSigningKey(ctx.db, next, previous))
  const stored = await findSigningKey(ctx.db, name)
  const key = stored && unseal(ctx, stored)
  if (!key) throw new Error(`the signing key of ${name} was stored but cannot be decrypted`)
  return key
}

function placeOf(key: SigningKey | undefined): number {
  return Number(key?.id.split('#').at(-1) ?? 0)
}

/** The later end applies: the ttl may have been longer when the key was created. */
function endOf(key: SigningKey, end: number): string {
  return new Date(Math.max(Date.parse(key.expires_at), end)).toISOString()
}

/** One object per key, because jose caches imported keys per object. */
const createUnsealed = () => new Map<string, Jwk>()

/** Undefined if its secret is no longer configured. */
function unseal(ctx: Context, row: SigningKey): Jwk | undefined {
  const unsealedKeys = ctx.once(createUnsealed)
  const unsealedKey = unsealedKeys.get(row.private_jwk)
  if (unsealedKey) return unsealedKey
  const key = ctx.secrets.openJson(PURPOSE, row.private_jwk) as Jwk | undefined
  if (key) unsealedKeys.set(row.private_jwk, Object.freeze(key))
  else
    ctx.log.warn({ template: row.template }, 'a signing key cannot be decrypted with the configured secrets')
  return key
}
