import type { Db } from '../db.ts'
import { type Places, prepared, preparedInsert } from '../prepared.ts'
import type { SignUpsTable } from '../tables.ts'

export interface SignUp {
  /** Keyed hashes of the registering browsers; empty for an app. */
  readonly browsers: readonly string[]
  /** Whether the user ever verified an address, even one that was since replaced. */
  readonly proven: boolean
  readonly imported: boolean
}

export async function insertSignUp(
  db: Db,
  identityId: string,
  { browsers, ...times }: Omit<SignUpsTable, 'identity_id' | 'browsers'> & Pick<SignUp, 'browsers'>,
): Promise<void> {
  const stored = { identity_id: identityId, browsers: JSON.stringify(browsers), ...times }
  await insertQuery(db, [stored])
}

const insertQuery = preparedInsert('sign_ups')

/** Undefined for an operator's account. */
export async function findSignUp(db: Db, identityId: string): Promise<SignUp | undefined> {
  const [row] = (await findQuery(db, { identity_id: identityId })).rows
  if (!row) return undefined
  const { browsers, proven_at, imported_at } = row
  return {
    browsers: JSON.parse(browsers) as string[],
    proven: proven_at != null,
    imported: imported_at != null,
  }
}

const findQuery = prepared((db, { identity_id }: Places<Pick<SignUpsTable, 'identity_id'>>) =>
  db
    .selectFrom('sign_ups')
    .select(['browsers', 'proven_at', 'imported_at'])
    .where('identity_id', '=', identity_id),
)

/** For accounts that never verified an address. Keeps the newest browsers. */
export async function addSignUpBrowser(db: Db, identityId: string, browser: string): Promise<void> {
  const signUp = await findSignUp(db, identityId)
  if (!signUp || signUp.proven || signUp.browsers.includes(browser)) return
  const browsers = JSON.stringify([...signUp.browsers, browser].slice(-MOST_BROWSERS))
  await db.updateTable('sign_ups').set({ browsers }).where('identity_id', '=', identityId).execute()
}

const MOST_BROWSERS = 5

export async function recordFirstProof(db: Db, identityId: string, now: string): Promise<void> {
  await db
    .updateTable('sign_ups')
    .set({ proven_at: now })
    .where((eb) => eb.and({ identity_id: identityId, proven_at: null }))
    .execute()
}
