import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { hashToken } from '../crypto/random.ts'
import { FormError } from '../errors/errors.ts'
import { hasProof } from '../identities/addresses/proof.ts'
import { assertStored } from '../identities/create.ts'
import { insertCredentials } from '../storage/identities/credentials.ts'
import { findIdentities, insertIdentity } from '../storage/identities/identities.ts'
import { type KratosPage, readKratosDatabase } from '../storage/kratos-database.ts'
import { insertSession } from '../storage/sessions/sessions.ts'
import { storeFacts } from './account-facts.ts'
import { type KratosAccount, toAccount } from './kratos-account.ts'
import type { Drop } from './kratos-rows.ts'

export interface KratosImport {
  readonly accounts: number
  readonly credentials: number
  readonly sessions: number
  /** Accounts from an earlier import, which stay as they are. */
  readonly present: number
  readonly dropped: number
}

/** Receives each row that is left out, and the counts after each page. */
export interface ImportObserver {
  readonly onDrop: Drop
  readonly onProgress: (counts: KratosImport) => void
}

/**
 * Copies accounts with their credentials, addresses and live sessions, one page in a transaction. Accounts
 * whose id is already here are skipped, so an interrupted import can be repeated.
 */
export async function importFromKratos(
  ctx: Context,
  dsn: string,
  { onDrop, onProgress }: ImportObserver,
): Promise<KratosImport> {
  let counts: KratosImport = { accounts: 0, credentials: 0, sessions: 0, present: 0, dropped: 0 }
  const drop: Drop = (...row) => {
    counts = { ...counts, dropped: counts.dropped + 1 }
    onDrop(...row)
  }
  for await (const page of readKratosDatabase(dsn, ctx.now())) {
    const ids = page.identities.map(({ id }) => id ?? '')
    const presentIds = new Set((await findIdentities(ctx.db, ids)).map(({ id }) => id))
    const accounts: KratosAccount[] = []
    for (const id of ids) {
      const account = presentIds.has(id) ? undefined : await toAccount(ctx, rowsOf(page, id), drop)
      if (account) accounts.push(account)
    }
    const storedIds = await storeAccounts(ctx, accounts, drop)
    counts = {
      ...counts,
      accounts: counts.accounts + storedIds.length,
      credentials: counts.credentials + sum(storedIds, ({ credentials }) => credentials.length),
      sessions: counts.sessions + sum(storedIds, ({ sessions }) => sessions.length),
      present: counts.present + presentIds.size,
    }
    onProgress(counts)
  }
  return counts
}

function rowsOf({ identities, session_devices, ...owned }: KratosPage, id: string): KratosPage {
  const ownRows = Object.entries(owned).map(([table, rows]) => [
    table,
    rows.filter((row) => row.identity_id === id),
  ])
  return {
    ...(Object.fromEntries(ownRows) as typeof owned),
    identities: identities.filter((row) => row.id === id),
    session_devices,
  }
}

/** Returns those that are stored. */
async function storeAccounts(
  ctx: Context,
  accounts: readonly KratosAccount[],
  drop: Drop,
): Promise<readonly KratosAccount[]> {
  try {
    await transact(ctx, async (ctx) => {
      for (const account of accounts) await insert(ctx, account)
    })
    return accounts
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    const [only, ...others] = accounts
    if (only && others.length === 0) {
      drop('identities', only.identity.id, TAKEN)
      return []
    }
    const stored: KratosAccount[] = []
    for (const account of accounts) stored.push(...(await storeAccounts(ctx, [account], drop)))
    return stored
  }
}

const TAKEN =
  'another account here has its address, identifier or external id. Delete that account, or import into an empty database'

/** Throws `FormError` if another account has its identifier or address. */
async function insert(ctx: Context, { identity, credentials, sessions }: KratosAccount): Promise<void> {
  const { db } = ctx
  assertStored(await insertIdentity(db, identity))
  // Kratos does not record which accounts an operator created (SEC-104).
  await storeFacts(ctx, identity.id, { sign_up: { proven: hasProof(identity), imported: true } })
  assertStored(await insertCredentials(db, credentials))
  for (const { session, token } of sessions) await insertSession(db, session, hashToken(token))
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0)
}
