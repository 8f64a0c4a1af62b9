import type { Db } from './db.ts'

/** Remembers that an account was registered, and in which browser (a keyed hash); none for an app. */
export async function insertSignUp(db: Db, identityId: string, browsers: readonly string[]): Promise<void> {
  await db
    .insertInto('sign_ups')
    .values({ identity_id: identityId, browsers: JSON.stringify(browsers) })
    .execute()
}

/** The browsers that an account was registered in; undefined for one that an operator made. */
export async function findSignUp(db: Db, identityId: string): Promise<readonly string[] | undefined> {
  const row = await db
    .selectFrom('sign_ups')
    .select('browsers')
    .where('identity_id', '=', identityId)
    .executeTakeFirst()
  return row && (JSON.parse(row.browsers) as string[])
}

/** Adds a browser; of many the newest count. */
export async function addSignUpBrowser(db: Db, identityId: string, browser: string): Promise<void> {
  const known = await findSignUp(db, identityId)
  if (!known || known.includes(browser)) return
  const browsers = JSON.stringify([...known, browser].slice(-MOST_BROWSERS))
  await db.updateTable('sign_ups').set({ browsers }).where('identity_id', '=', identityId).execute()
}

const MOST_BROWSERS = 5
