import { sql } from 'kysely'
import type { JsonObject } from '../../wire/identity.ts'
import type { Db } from '../db.ts'
import type { Credential, CredentialVersion } from '../identities/credentials.ts'
import type { StoredIdentity, WholeIdentity } from '../identities/identities.ts'
import { lockIdentity, readIdentity, wholeIdentity } from '../identities/identities.ts'
import { asText } from '../json-rows.ts'
import { type Places, prepared } from '../prepared.ts'
import { type Beyond, countedSessions } from './ended-sessions.ts'

/** The present account, to compare with a proof. */
export interface Standing {
  readonly identity: StoredIdentity
  readonly sign_in_epoch: number
  readonly credential: (CredentialVersion & Pick<Credential, 'config'>) | undefined
  readonly ownsIdentifier: boolean
  /** Another session exceeds the maximum. */
  readonly isFull: boolean
}

interface Sought extends Beyond {
  readonly type: string
  /** Of this type. Empty for none. */
  readonly identifier: string
}

/** Locks the account until the transaction ends. */
export async function lockStanding(db: Db, sought: Sought): Promise<Standing | undefined> {
  const { identity_id, type } = sought
  await lockIdentity(db, identity_id)
  const [row] = (await standingQuery(db, { ...sought, keep: sought.keep - 1 })).rows
  if (!row) return undefined
  const { text, config, version, created_at } = row
  const isHeld = config !== null && version !== null && created_at !== null
  return {
    identity: readIdentity(JSON.parse(text) as WholeIdentity),
    sign_in_epoch: row.sign_in_epoch ?? 0,
    credential: isHeld
      ? { identity_id, type, version, created_at, config: JSON.parse(config) as JsonObject }
      : undefined,
    ownsIdentifier: Boolean(row.owned),
    isFull: Boolean(row.session),
  }
}

const standingQuery = prepared((db, places: Places<Sought>) =>
  db
    .selectFrom('identities as i')
    .leftJoin('credentials as c', (join) =>
      join.onRef('c.identity_id', '=', 'i.id').on('c.type', '=', places.type),
    )
    .select([asText(wholeIdentity(db)).as('text'), 'i.sign_in_epoch'])
    .select(['c.config', 'c.version', 'c.created_at'])
    .select(({ selectFrom }) => [
      selectFrom('credential_identifiers as own')
        .select(sql.lit(1).as('one'))
        .where('own.type', '=', places.type)
        .where('own.identifier', '=', places.identifier)
        .whereRef('own.identity_id', '=', 'i.id')
        .as('owned'),
      countedSessions(db, places).limit(1).offset(places.keep).as('session'),
    ])
    .where('i.id', '=', places.identity_id),
)
