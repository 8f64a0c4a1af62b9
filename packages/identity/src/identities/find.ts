import type { Context } from '../contract/contract.ts'
import { findCredential } from '../storage/identities/credentials.ts'
import { findAddress } from '../storage/identities/identities.ts'
import { channelOf } from './schema/formats.ts'
import { normaliseAddress, normaliseIdentifier } from './schema/traits.ts'

/** The identity that has this credential identifier or address. */
export async function findIdentityId(
  { db }: Pick<Context, 'db'>,
  identifier: string,
): Promise<string | undefined> {
  for (const type of ['password', 'code', 'webauthn']) {
    const found = await findCredential(db, type, normaliseIdentifier(type, identifier))
    if (found) return found.identity_id
  }
  const address = normaliseAddress(identifier)
  const via = channelOf(address)
  const known = await findAddress(db, 'verification', via, address)
  return (known ?? (await findAddress(db, 'recovery', via, address)))?.identity_id
}
