import type { Config } from '../config.ts'
import type { Context } from '../contract.ts'
import { transact } from '../contract.ts'
import type { Jwk } from '../crypto/jwt.ts'
import { newSigningKey, publicJwk } from '../crypto/jwt.ts'
import type { Secrets } from '../crypto/secrets.ts'
import type { SigningKey } from '../storage/signing-keys.ts'
import { findSigningKey, listPublicKeys, replaceSigningKey } from '../storage/signing-keys.ts'

type Template = NonNullable<Config['session']['whoami']['tokenizer']['templates'][string]>

const DAY = 24 * 3_600_000
const SIGNS_FOR = 30 * DAY
/** Clocks differ, and a verifier may allow a token some seconds more. */
const MARGIN = 3_600_000
const PURPOSE = 'signing-key'

/**
 * The private key that signs for a template: the first of a configured set, else one that the service made,
 * keeps sealed and replaces every 30 days.
 */
export async function signingKey(ctx: Context, name: string, template: Template): Promise<Jwk> {
  const [configured] = template.jwks?.keys ?? []
  if (configured) return configured
  const current = await findSigningKey(ctx.db, name)
  const key = current && !isDue(ctx, current) ? unseal(ctx, current) : undefined
  return key ?? (await replaceKey(ctx, name, template, current))
}

/** What verifies the tokens of a template: public parts only, also of keys whose last tokens still live. */
export async function publicKeysOf(ctx: Context, name: string, template: Template): Promise<Jwk[]> {
  if (template.jwks) return template.jwks.keys.flatMap((key) => publicJwk(key) ?? [])
  // So that a verifier that starts before the first token finds a key.
  await signingKey(ctx, name, template)
  const rows = await listPublicKeys(ctx.db, name, ctx.now().toISOString())
  return rows.map((row) => JSON.parse(row) as Jwk)
}

function isDue(ctx: Context, key: SigningKey): boolean {
  return ctx.now().getTime() - Date.parse(key.created_at) >= SIGNS_FOR
}

/** Two replicas may do this at once: both then read the key that was stored first. */
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
    expires_at: new Date(now + SIGNS_FOR + template.ttl + MARGIN).toISOString(),
  }
  const previous = current && { id: current.id, expires_at: endOf(current, now + template.ttl + MARGIN) }
  await transact(ctx, (ctx) => replaceSigningKey(ctx.db, next, previous))
  const stored = await findSigningKey(ctx.db, name)
  const key = stored && unseal(ctx, stored)
  if (!key) throw new Error(`the signing key of ${name} was stored and cannot be read`)
  return key
}

function placeOf(key: SigningKey | undefined): number {
  return Number(key?.id.split('#').at(-1) ?? 0)
}

/** The template's ttl may have been longer when the key was made: the later end counts. */
function endOf(key: SigningKey, end: number): string {
  return new Date(Math.max(Date.parse(key.expires_at), end)).toISOString()
}

/** One object per stored key, because jose remembers what it imported per object. */
const unsealed = new WeakMap<Secrets, Map<string, Jwk>>()

/** Undefined for a key that was sealed with secrets that are gone: another one takes its place. */
function unseal(ctx: Context, row: SigningKey): Jwk | undefined {
  const known = unsealed.get(ctx.secrets) ?? new Map<string, Jwk>()
  unsealed.set(ctx.secrets, known)
  const found = known.get(row.private_jwk)
  if (found) return found
  try {
    const key = Object.freeze(JSON.parse(ctx.secrets.decrypt(PURPOSE, row.private_jwk)) as Jwk)
    known.set(row.private_jwk, key)
    return key
  } catch {
    ctx.log.warn({ template: row.template }, 'a signing key cannot be opened with the configured secrets')
    return undefined
  }
}
