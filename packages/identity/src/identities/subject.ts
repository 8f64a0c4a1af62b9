import type { Context } from '../contract/contract.ts'
import { normaliseAddress, normaliseIdentifier } from '../input/identifier.ts'
import type { Db } from '../storage/db.ts'
import { type AddressChange, findPendingChange } from '../storage/identities/address-changes.ts'
import type { HeldCredential } from '../storage/identities/credentials.ts'
import { findCredential, listCredentials } from '../storage/identities/credentials.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import { findAddress, findIdentity } from '../storage/identities/identities.ts'
import { waitsForProof } from './addresses/address-change.ts'
import { channelOf } from './schema/formats.ts'
import { type IdentitySchema, schemaOfIdentity } from './schema/schema.ts'

export interface Subject {
  readonly identity: StoredIdentity
  readonly schema: IdentitySchema
  readonly credentials: readonly HeldCredential[]
  readonly pending_address?: AddressChange | undefined
}

export type KnownSubject = Pick<Subject, 'identity'> & Partial<Pick<Subject, 'credentials'>>

export async function findSubject(ctx: Context, identityId: string, knownSubject?: KnownSubject) {
  const identity = knownSubject?.identity ?? (await findIdentity(ctx.db, identityId))
  if (!identity) return undefined
  const credentials = knownSubject?.credentials ?? (await listCredentials(ctx.db, identityId))
  const pending_address = waitsForProof(ctx)
    ? await findPendingChange(ctx.db, identityId, ctx.now().toISOString())
    : undefined
  return {
    identity,
    schema: schemaOfIdentity(ctx.schemas, identity),
    credentials,
    pending_address,
  }
}

export function credentialOf(subject: Subject | undefined, type: string): HeldCredential | undefined {
  return subject?.credentials.find((credential) => credential.type === type)
}

export async function findIdentityId({ db }: Pick<Context, 'db'>, identifier: string) {
  for (const type of ['password', 'code', 'webauthn']) {
    const credential = await findTypedCredential(db, type, identifier)
    if (credential) return credential.identity_id
  }
  const address = await findTypedAddress(db, 'verification', identifier)
  return (address ?? (await findTypedAddress(db, 'recovery', identifier)))?.identity_id
}

export async function findTypedCredential(db: Db, type: string, typed: string) {
  return await findCredential(db, type, normaliseIdentifier(type, typed))
}

export async function findTypedAddress(db: Db, purpose: 'verification' | 'recovery', typed: string) {
  const address = normaliseAddress(typed)
  return await findAddress(db, purpose, channelOf(address), address)
}
