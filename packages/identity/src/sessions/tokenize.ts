import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { type Jwk, newSigningKey, publicJwk, signJwt } from '../crypto/jwt.ts'
import { newId } from '../crypto/random.ts'
import { STORED_PURPOSES } from '../crypto/secrets.ts'
import { badRequest, ProtocolError } from '../errors/errors.ts'
import { isObject } from '../input/json.ts'
import type { SigningKey } from '../storage/signing-keys.ts'
import { findSigningKey, listPublicKeys, replaceSigningKey } from '../storage/signing-keys.ts'
import type { Session } from '../wire/session.ts'

type Claims = Readonly<Record<string, unknown>>

/** Does not outlive the session (SEC-54). Throws `ProtocolError` 400 if the template does not fit. */
export async function tokenize(ctx: Context, session: Session, name: string): Promise<string> {
  const template = templatesOf(ctx).find((one) => one.name === name)
  if (!template) throw badRequest('Unknown token template in tokenize_as.')
  const reservedClaims = ownClaims(ctx, session, template)
  const mapped = await mappedClaims(ctx, session, template, reservedClaims)
  const key = await signingKey(ctx, template)
  try {
    return await signJwt(key, { ...mapped, ...reservedClaims })
  } catch (cause) {
    throw unusable(ctx, template, 'its key cannot be used for signing', cause)
  }
}

/** A JWK set (RFC 7517). */
export async function publicKeys(ctx: Context): Promise<{ keys: Jwk[] }> {
  const keys = new Map<string, Jwk>()
  for (const template of templatesOf(ctx)) {
    for (const key of await publicKeysOf(ctx, template)) keys.set(key.kid ?? JSON.stringify(key), key)
  }
  return { keys: [...keys.values()] }
}

function templatesOf({ config }: Context) {
  const { templates } = config.session.whoami.tokenizer
  return Object.entries(templates).map(([name, template]) => ({ ...template, name }))
}

type Template = ReturnType<typeof templatesOf>[number]

/** RFC 7519 §4.1 and OpenID Connect's `sid`. */
function ownClaims(ctx: Context, session: Session, template: Template): Claims {
  const now = Math.floor(ctx.now().getTime() / 1000)
  const end = Math.floor(Date.parse(session.expires_at) / 1000)
  const { base_url } = ctx.config.serve.public
  return {
    iss: base_url,
    sub: subjectOf(ctx, session, template),
    aud: template.audience ?? new URL(base_url).origin,
    exp: Math.min(now + Math.floor(template.ttl / 1000), end),
    iat: now,
    nbf: now,
    jti: newId(),
    sid: session.id,
  }
}

function subjectOf(ctx: Context, { identity }: Session, template: Template): string {
  const subject = template.subject_source === 'external_id' ? identity?.external_id : identity?.id
  if (subject !== undefined) return subject
  throw unusable(ctx, template, `this identity has no ${template.subject_source}`)
}

async function mappedClaims(ctx: Context, session: Session, template: Template, reservedClaims: Claims) {
  if (!template.claims_mapper) return {}
  let result: unknown
  try {
    // Copies, because a mapper must not change the originals.
    result = await template.claims_mapper({
      session: structuredClone(session),
      claims: { ...reservedClaims },
    })
  } catch (cause) {
    throw unusable(ctx, template, 'its claims mapper failed', cause)
  }
  const claims = isObject(result) ? result.claims : undefined
  if (isObject(claims)) return claims
  throw unusable(ctx, template, 'its claims mapper returned no object `claims`')
}

function unusable(ctx: Context, { name }: Template, reason: string, cause?: unknown): ProtocolError {
  const detail = cause instanceof Error ? { cause: cause.message } : {}
  ctx.log.warn({ template: name, ...detail }, `a session could not be tokenized: ${reason}`)
  return new ProtocolError({
    status: 400,
    reason: `The token template ${name} cannot be used for this session: ${reason}.`,
    cause,
  })
}

const DAY_MS = 24 * 3_600_000
const SIGNS_FOR_MS = 30 * DAY_MS
/** Allows for clock differences and a verifier's tolerance. */
const MARGIN_MS = 3_600_000
const PURPOSE = STORED_PURPOSES.signing_key

/** The first configured key, or a generated one, rotated every 30 days. */
async function signingKey(ctx: Context, template: Template): Promise<Jwk> {
  const [configured] = template.jwks?.keys ?? []
  if (configured) return configured
  const current = await findSigningKey(ctx.db, template.name)
  const isDue = current && ctx.now().getTime() - Date.parse(current.created_at) >= SIGNS_FOR_MS
  const key = current && !isDue ? unseal(ctx, current) : undefined
  return key ?? (await replaceKey(ctx, template, current))
}

/** Includes retired keys, whose tokens may still be valid. */
async function publicKeysOf(ctx: Context, template: Template): Promise<Jwk[]> {
  if (template.jwks) return template.jwks.keys.flatMap((key) => publicJwk(key) ?? [])
  // Verifiers may start before the first token.
  await signingKey(ctx, template)
  const rows = await listPublicKeys(ctx.db, template.name, ctx.now().toISOString())
  return rows.map((row) => JSON.parse(row) as Jwk)
}

/** Concurrent replicas both read the key stored first. */
async function replaceKey(ctx: Context, { name, ttl }: Template, current: SigningKey | undefined) {
  const jwk = await newSigningKey()
  const now = ctx.now().getTime()
  const next: SigningKey = {
    id: `${name}#${Number(current?.id.split('#').at(-1) ?? 0) + 1}`,
    template: name,
    private_jwk: ctx.secrets.encrypt(PURPOSE, JSON.stringify(jwk)),
    public_jwk: JSON.stringify(publicJwk(jwk)),
    created_at: new Date(now).toISOString(),
    retired_at: null,
    expires_at: new Date(now + SIGNS_FOR_MS + ttl + MARGIN_MS).toISOString(),
  }
  const previous = current && {
    id: current.id,
    // The ttl may have been longer when the key was created.
    expires_at: new Date(Math.max(Date.parse(current.expires_at), now + ttl + MARGIN_MS)).toISOString(),
  }
  await transact(ctx, (ctx) => replaceSigningKey(ctx.db, next, previous))
  const stored = await findSigningKey(ctx.db, name)
  const key = stored && unseal(ctx, stored)
  if (!key) throw new Error(`the signing key of ${name} was stored but cannot be decrypted`)
  return key
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
