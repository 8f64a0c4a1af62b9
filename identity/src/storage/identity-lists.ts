import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { StoredIdentity } from './identities.ts'
import { findIdentities } from './identities.ts'

export interface IdentityFilter {
  readonly ids?: readonly string[]
  /** Of a credential of any type, in its normalised spelling. */
  readonly credentials_identifier?: string
  /** A substring of an identifier. */
  readonly similar_identifier?: string
}

/** A page of identities by ascending id, after `after`. */
export async function listIdentities(
  db: Db,
  filter: IdentityFilter,
  page: { readonly limit: number; readonly after?: string; readonly offset?: number },
): Promise<StoredIdentity[]> {
  if (filter.ids?.length === 0) return []
  let query = filtered(db, filter).select('id').orderBy('id').limit(page.limit)
  if (page.offset !== undefined) query = query.offset(page.offset)
  if (page.after !== undefined) query = query.where('id', '>', page.after)
  const found = (await query.execute()).map((row) => row.id)
  return await findIdentities(db, found)
}

/** The number of identities that the filter matches, independent of the page. */
export async function countIdentities(db: Db, filter: IdentityFilter): Promise<number> {
  if (filter.ids?.length === 0) return 0
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

function filtered(db: Db, { ids, credentials_identifier, similar_identifier }: IdentityFilter) {
  let query = db.selectFrom('identities')
  if (ids) query = query.where('id', 'in', ids)
  if (credentials_identifier !== undefined) {
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('credential_identifiers')
        .select('identity_id')
        .where('identifier', '=', credentials_identifier),
    )
  }
  if (similar_identifier !== undefined) {
    const anywhere = `%${similar_identifier.replaceAll(/[%_\\]/g, (character) => `\\${character}`)}%`
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('credential_identifiers')
        .select('identity_id')
        .where(sql<boolean>`identifier like ${anywhere} escape '\\'`),
    )
  }
  return query
}
