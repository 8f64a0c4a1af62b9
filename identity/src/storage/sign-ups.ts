import type { Db } from './db.ts'
import type { Places } from './prepared.ts'
import { prepared, preparedInsert } from './prepared.ts'
import type { SignUpsTable } from './tables.ts'

/** Records that a user registered an account, and in which browser (a keyed hash); no browser for an app. */
export async function insertSignUp(db: Db, identityId: string, browsers: readonly string[]): Promise<void> {
  await inserted(db, [{ identity_id: identityId, browsers: JSON.stringify(browsers) }])
}

const inserted = preparedInsert('sign_ups')

/** The browsers in which an account was registered; undefined for an account created by an operator. */
export async function findSignUp(db: Db, identityId: string): Promise<readonly string[] | undefined> {
  const [row] = (await found(db, { identity_id: identityId })).rows
  return row && (JSON.parse(row.browsers) as string[])
}

const found = prepared((db, { identity_id }: Places<Pick<SignUpsTable, 'identity_id'>>) =>
  db.selectFrom('sign_ups').select('browsers').where('identity_id', '=', identity_id),
)

/** Adds a browser; only the newest are kept. */
export async function addSignUpBrowser(db: Db, identityId: string, browser: string): Promise<void> {
  const known = await findSignUp(db, identityId)
  if (!known || known.includes(browser)) return
  const browsers = JSON.stringify([...known, browser].slice(-MOST_BROWSERS))
  await db.updateTable('sign_ups').set({ browsers }).where('identity_id', '=', identityId).execute()
}

const MOST_BROWSERS = 5
