import type { Config } from '../../config/config.ts'
import { writeRequest } from '../../config/outgoing-request.ts'
import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { failureReason, fetchOf } from '../../events/call.ts'
import { schemaOfIdentity } from '../../identities/schema/schema.ts'
import { spellingInTraits } from '../../identities/schema/traits.ts'
import { readCapped } from '../../input/plain-text.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import { findIdentity } from '../../storage/identities/identities.ts'

const TIMEOUT_MS = 10_000
const LARGEST = 1024

type MigrateHook = NonNullable<
  Config['selfservice']['methods']['password']['config']['migrate_hook']['config']
>

/** Asks the former system of an imported account for its password. Throws `ProtocolError` if it fails. */
export async function isFormerPassword(
  ctx: Context,
  credential: Credential,
  password: string,
): Promise<boolean> {
  const { enabled, config: hook } = ctx.config.selfservice.methods.password.config.migrate_hook
  if (!enabled || !hook)
    throw new ProtocolError({
      id: 'invalid_configuration',
      status: 500,
      cause: 'an account needs selfservice.methods.password.config.migrate_hook, which is disabled',
    })
  const identifier = await ownSpelling(ctx, credential)
  const response = await send(ctx, hook, { identifier, password }).catch((error: unknown) => {
    throw failure(ctx, failureReason(error))
  })
  if (response.status === 200) return await confirms(response)
  await response.body?.cancel()
  const { status } = response
  if (status === 403) return false
  // Also how former systems refuse a password (SEC-45).
  if (status >= 400 && status < 500) {
    ctx.log.warn({ status }, 'the password migration hook should answer a wrong password with 403')
    return false
  }
  throw failure(ctx, `it responded with ${status}`)
}

/** To the former system, another spelling may be another user. */
async function ownSpelling(
  ctx: Context,
  { identity_id, identifiers: [identifier = ''] }: Credential,
): Promise<string> {
  const identity = await findIdentity(ctx.db, identity_id)
  if (!identity) return identifier
  return spellingInTraits(schemaOfIdentity(ctx.schemas, identity), identity.traits, identifier) ?? identifier
}

async function send(
  ctx: Context,
  hook: MigrateHook,
  credentials: { readonly identifier: string; readonly password: string },
): Promise<Response> {
  const fetch = fetchOf(ctx, { target: 'web_hook' })
  return await fetch(hook.url, {
    ...writeRequest(hook, credentials),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}

async function confirms(response: Response): Promise<boolean> {
  try {
    const answer: unknown = JSON.parse(String(await readCapped(response.body, LARGEST)))
    return (answer as { readonly status?: unknown } | null)?.status === 'password_match'
  } catch {
    return false
  }
}

function failure({ log }: Context, cause: string): ProtocolError {
  log.warn({ reason: cause }, 'the password migration hook failed')
  const reason = 'Another service could not check the password. Please try again later.'
  return new ProtocolError({ status: 502, reason, cause })
}
