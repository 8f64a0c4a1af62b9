import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/db.ts'

export interface Damage {
  readonly lost: readonly string[]
  readonly duplicated: readonly string[]
  /** `table id`. */
  readonly orphans: readonly string[]
}

/** Ids of rows that must not exist. */
const ORPHANS = {
  'identity without credential': sql`select id from identities
    where id not in (select identity_id from credentials)`,
  'identity without address': sql`select id from identities
    where id not in (select identity_id from addresses)`,
  'credential without identifier': sql`select identity_id as id from credentials
    where type = 'password' and identity_id not in (select identity_id from credential_identifiers)`,
  'credential without identity': sql`select identity_id as id from credentials
    where identity_id not in (select id from identities)`,
  'code without flow': sql`select id from codes where flow_id not in (select id from flows)`,
  'message without identity': sql`select id from messages
    where template_type = 'verification_code_valid' and recipient not in (select value from addresses)`,
  'session without identity': sql`select id from sessions
    where identity_id not in (select id from identities)`,
}

export async function findDamage(dsn: string, confirmed: readonly string[]): Promise<Damage> {
  const db = await openDatabase(dsn, { migrates: false })
  try {
    const identifiers = await db
      .selectFrom('credential_identifiers')
      .select('identifier')
      .where('type', '=', 'password')
      .execute()
    const messages = await db
      .selectFrom('messages')
      .select('recipient')
      .where('template_type', '=', 'verification_code_valid')
      .execute()
    const stored = identifiers.map(({ identifier }) => identifier)
    const emailed = messages.map(({ recipient }) => recipient)
    const orphans: string[] = []
    for (const [what, query] of Object.entries(ORPHANS)) {
      const { rows } = await query.$castTo<{ id: string }>().execute(db)
      orphans.push(...rows.map(({ id }) => `${what}: ${id}`))
    }
    return {
      lost: confirmed.filter((email) => !stored.includes(email) || !emailed.includes(email)),
      duplicated: [...repeated(stored), ...repeated(emailed)],
      orphans,
    }
  } finally {
    await db.destroy()
  }
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}
