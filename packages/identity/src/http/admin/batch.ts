import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../contract/contract.ts'
import { badRequest, ProtocolError } from '../../errors/errors.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { errorBody } from '../errors.ts'
import type { Http } from '../request.ts'
import { type CredentialsBody, type DraftBody, readBatch } from './body.ts'
import { createFrom } from './identities.ts'
import { checkHash } from './import.ts'

/** Hashing is slow, and a batch gets a single response. */
const MOST_HASHES = 200

type Outcome =
  | { readonly action: 'create'; readonly identity: string; readonly patch_id?: string }
  | { readonly action: 'error'; readonly patch_id?: string; readonly error: object }

/**
 * 200 even if some accounts failed. Kratos compatibility: 400 and no account if a hash cannot be used, and 409 if the
 * only valid item conflicts.
 */
export async function createIdentities(ctx: Context, c: Http): Promise<Response> {
  const items = await readBatch(c)
  checkCredentials(
    ctx,
    items.flatMap(({ create }) => create?.credentials ?? []),
  )
  // Kratos compatibility: an item without `create` gets null.
  const outcomes: (Outcome | null)[] = []
  const failures: ProtocolError[] = []
  for (const { create, patch_id } of items) {
    if (!create) {
      outcomes.push(null)
      continue
    }
    await nextTurn()
    const named = patch_id === undefined ? {} : { patch_id }
    const createdIdentity = await tryCreate(ctx, create)
    if (createdIdentity instanceof ProtocolError) {
      failures.push(createdIdentity)
      outcomes.push({ action: 'error', ...named, error: errorBody(ctx, createdIdentity.parts) })
    } else {
      outcomes.push({ action: 'create', identity: createdIdentity.id, ...named })
    }
  }
  const conflicts = failures.filter(({ parts }) => parts.status === 409)
  const [only] = conflicts
  const createCount = items.filter(({ create }) => create !== undefined).length
  const valid = createCount - failures.length + conflicts.length
  if (only && valid === 1) throw only
  return c.json({ identities: outcomes })
}

function checkCredentials(ctx: Context, brought: readonly CredentialsBody[]): void {
  const hashes = brought.reduce((sum, one) => sum + countHashes(one), 0)
  if (hashes > MOST_HASHES) {
    throw badRequest(
      `A batch can contain at most ${MOST_HASHES} backup codes, and passwords that are not hashed.`,
    )
  }
  for (const { password } of brought) if (password) checkHash(ctx, password.config)
}

function countHashes({ lookup_secret, password }: CredentialsBody): number {
  const codes = lookup_secret?.recovery_codes.length ?? 0
  return codes + (password?.config.password ? 1 : 0)
}

async function tryCreate(ctx: Context, draft: DraftBody): Promise<StoredIdentity | ProtocolError> {
  try {
    return await createFrom(ctx, draft)
  } catch (error) {
    if (error instanceof ProtocolError && error.parts.status < 500) return error
    throw error
  }
}
