import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import type { ProductAddresses } from './product.ts'

export function expireFlow(product: ProductAddresses, flowId: string): void {
  endNow(product, 'UPDATE flows SET expires_at = ? WHERE id = ?', [flowId])
}

export function expireCodes(product: ProductAddresses, flowId: string): void {
  endNow(product, 'UPDATE codes SET expires_at = ? WHERE flow_id = ?', [flowId])
}

/** The session of the page is too old to change credentials. */
export async function endPrivilege({ request }: Page, product: ProductAddresses): Promise<void> {
  const session = await (await request.get('/.ory/sessions/whoami')).json()
  const statement = "UPDATE sessions SET methods = json_set(methods, '$[0].completed_at', ?) WHERE id = ?"
  endNow(product, statement, [session.id], 60 * 60_000)
}

export function endDeletions(product: ProductAddresses): void {
  endNow(product, 'UPDATE account_deletions SET due_at = ?', [])
}

/** The product's clock cannot be changed. */
function endNow({ data_dir }: ProductAddresses, statement: string, ids: string[], ago = 60_000): void {
  const database = new DatabaseSync(join(data_dir, 'my-app.sqlite'), { timeout: 60_000 })
  try {
    const { changes } = database.prepare(statement).run(new Date(Date.now() - ago).toISOString(), ...ids)
    if (Number(changes) === 0) throw new Error(`Nothing is stored for "${statement}".`)
  } finally {
    database.close()
  }
}
