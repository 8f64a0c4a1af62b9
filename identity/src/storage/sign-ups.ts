import type { Db } from './db.ts'

/** Records that a user registered an account, and in which browser (a keyed hash); no browser for an app. */
export async function insertSignUp(db: Db, identityId: string, browsers: readonly string[]): Promise<void> {
  await db
    .insertInto('sign_ups')
    .values({ identity_id: identityId, browsers: JSON.stringify(browsers) })
    .execute()
}

/** The browsers in which an account was registered; undefined for an account created by an operator. */
export async function findSignUp(db: Db, identityId: string): Promise<readonly string[] | undefined> {
  const row = await db
    .selectFrom('sign_ups')
    .select('browsers')
    .where('identity_id', '=', identityId)
    .executeTakeFirst()
  return row && (JSON.parse(row.browsers) as string[])
}

/** Adds a browser; only the newest are kept. */
export async function addSignUpBrowser(db: Db, identityId: string, browser: string): Promise<void> {
  const known = await findSignUp(db, identityId)
  if (!known || known.includes(browser)) return
  const browsers = JSON.stringify([...known, browser].slice(-MOST_BROWSERS))
  await db.updateTable('sign_ups').set({ browsers }).where('identity_id', '=', identityId).execute()
}

const MOST_BROWSERS = 5
