import type { Context } from '../contract/contract.ts'
import { ProtocolError } from '../errors/errors.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import type { JsonObject } from '../wire/identity.ts'
import type { AccountUpdate } from './update.ts'

export interface CredentialAdmin {
  /** Shown on request. Absent for second factors. */
  readonly contents?: (ctx: Context, credential: Credential) => JsonObject
  /** Removes it, or the part named by `identifier`. Absent if operators cannot. */
  readonly remove?: (credential: Credential, identifier: string | undefined) => AccountUpdate
  /** Refused while the account has no other first factor. */
  readonly keepsLast?: true
  /** Kratos compatibility: listed empty while the schema derives an identifier for it. */
  readonly listedEmpty?: true
  /** Kratos compatibility: the version shown, 0 by default. */
  readonly version?: 1
}

export const LAST_CREDENTIAL = 'This is the last credential of the account. Delete the account instead.'

export function noSuchCredential(): ProtocolError {
  return new ProtocolError({ status: 404, reason: 'The account has no such credential.' })
}
