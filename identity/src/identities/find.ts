import type { Context } from '../contract.ts'
import { findCredential } from '../storage/credentials.ts'
import { findAddress } from '../storage/identities.ts'
import { channelOf } from './formats.ts'
import { normaliseAddress, normaliseIdentifier } from './traits.ts'

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
