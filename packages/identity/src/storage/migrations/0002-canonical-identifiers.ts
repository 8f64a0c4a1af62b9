import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { formerSpelling, normaliseIdentifier } from '../../input/identifier.ts'
import { textsIn } from '../../input/json.ts'
import { loadPhoneNumbers } from '../../input/phone-number.ts'
import type { Tables } from '../tables.ts'

/**
 * Identifiers and addresses get the form in which they are now looked up, unless another account has it. The
 * forms differ for letters outside of ASCII, internationalized domains and phone numbers.
 */
export const canonicalIdentifiers: Migration = {
  async up(db: Kysely<Tables>) {
    const rows = await listAffected(db)
    if (rows.some(({ text }) => /^[+0]/.test(text))) await loadPhoneNumbers()
    for (const row of rows) await convert(db, row)
  },
}

interface Affected {
  readonly identity_id: string
  readonly type: string
  readonly text: string
  /** Undefined for an identifier. */
  readonly address_id: string | null
  readonly traits: string
}

async function listAffected(db: Kysely<Tables>): Promise<readonly Affected[]> {
  const differs = (text: string) => sql`(octet_length(${sql.ref(text)}) <> length(${sql.ref(text)})
    or ${sql.ref(text)} like '%@%xn--%')`
  const isPhone = (text: string) => sql`(${sql.ref(text)} like '+%' or ${sql.ref(text)} like '00%')`
  const { rows } = await sql<Affected>`
    select a.identity_id, 'code' as type, a.value as text, a.id as address_id, i.traits
    from addresses as a join identities as i on i.id = a.identity_id where ${differs('a.value')}
    union all
    select c.identity_id, c.type, c.identifier as text, null as address_id, i.traits
    from credential_identifiers as c join identities as i on i.id = c.identity_id
    where c.type in ('password', 'webauthn', 'code') and (${differs('c.identifier')}
      or (${isPhone('c.identifier')} and exists (select 1 from addresses where via = 'sms')))`.execute(db)
  return rows
}

async function convert(db: Kysely<Tables>, { type, text, address_id, identity_id, traits }: Affected) {
  const spelled = textsIn(JSON.parse(traits)).find((trait) => formerSpelling(type, trait) === text) ?? text
  const canonical = normaliseIdentifier(type, spelled)
  if (canonical === text) return
  if (address_id !== null)
    await sql`update addresses set value = ${canonical} where id = ${address_id} and not exists (
      select 1 from addresses as other where other.purpose = addresses.purpose
      and other.via = addresses.via and other.value = ${canonical})`.execute(db)
  else
    await sql`update credential_identifiers set identifier = ${canonical}
      where identity_id = ${identity_id} and type = ${type} and identifier = ${text} and not exists (
      select 1 from credential_identifiers as other
      where other.type = ${type} and other.identifier = ${canonical})`.execute(db)
}
