import type { Context } from '../contract/contract.ts'
import { type Jwk, signJwt } from '../crypto/jwt.ts'
import { newId } from '../crypto/random.ts'
import { ProtocolError } from '../errors/errors.ts'
import { isObject } from '../input/json.ts'
import type { Session } from '../wire/session.ts'
import { publicKeysOf, signingKey, type Template } from './signing-key.ts'

type Claims = Readonly<Record<string, unknown>>

/** Does not outlive the session (SEC-54). Throws `ProtocolError` 400 if the template does not fit. */
export async function tokenize(ctx: Context, session: Session, name: string): Promise<string> {
  const template = findTemplate(ctx, name)
  const reservedClaims = ownClaims(ctx, session, template, name)
  const mapped = await mappedClaims(ctx, session, template, name, reservedClaims)
  const key = await signingKey(ctx, name, template)
  try {
    return await signJwt(key, { ...mapped, ...reservedClaims })
  } catch (cause) {
    throw unusable(ctx, name, 'its key cannot be used for signing', cause)
  }
}

/** A JWK set (RFC 7517). */
export async function publicKeys(ctx: Context): Promise<{ keys: Jwk[] }> {
  const keys = new Map<string, Jwk>()
  for (const [name, template] of Object.entries(ctx.config.session.whoami.tokenizer.templates)) {
    for (const key of await publicKeysOf(ctx, name, template)) keys.set(key.kid ?? JSON.stringify(key), key)
  }
  return { keys: [...keys.values()] }
}

function findTemplate(ctx: Context, name: string): Template {
  const { templates } = ctx.config.session.whoami.tokenizer
  const template = Object.hasOwn(templates, name) ? templates[name] : undefined
  if (template) return template
  const reason = 'Unknown token template in tokenize_as.'
  throw new ProtocolError({ status: 400, reason })
}

/** RFC 7519 §4.1 and OpenID Connect's `sid`. */
function ownClaims(ctx: Context, session: Session, template: Template, name: string): Claims {
  const now = Math.floor(ctx.now().getTime() / 1000)
  const end = Math.floor(Date.parse(session.expires_at) / 1000)
  const { base_url } = ctx.config.serve.public
  return {
    iss: base_url,
    sub: subjectOf(ctx, session, template, name),
    aud: template.audience ?? new URL(base_url).origin,
    exp: Math.min(now + Math.floor(template.ttl / 1000), end),
    iat: now,
    nbf: now,
    jti: newId(),
    sid: session.id,
  }
}

function subjectOf(ctx: Context, { identity }: Session, template: Template, name: string): string {
  const subject = template.subject_source === 'external_id' ? identity?.external_id : identity?.id
  if (subject !== undefined) return subject
  throw unusable(ctx, name, `this identity has no ${template.subject_source}`)
}

async function mappedClaims(
  ctx: Context,
  session: Session,
  template: Template,
  name: string,
  reservedClaims: Claims,
) {
  if (!template.claims_mapper) return {}
  let result: unknown
  try {
    // Copies, because a mapper must not change the originals.
    result = await template.claims_mapper({
      session: structuredClone(session),
      claims: { ...reservedClaims },
    })
  } catch (cause) {
    throw unusable(ctx, name, 'its claims mapper failed', cause)
  }
  const claims = isObject(result) ? result.claims : undefined
  if (isObject(claims)) return claims
  throw unusable(ctx, name, 'its claims mapper returned no object `claims`')
}

function unusable(ctx: Context, name: string, reason: string, cause?: unknown): ProtocolError {
  const detail = cause instanceof Error ? { cause: cause.message } : {}
  ctx.log.warn({ template: name, ...detail }, `a session could not be tokenized: ${reason}`)
  return new ProtocolError({
    status: 400,
    reason: `The token template ${name} cannot be used for this session: ${reason}.`,
    cause,
  })
}
