import { startPostgres } from '@ostiary/identity/testing/servers/postgres-server'
import type { Figure } from './figure.ts'

export async function measureOnBoth(
  measure: (database: string, settings: Record<string, string>) => Promise<Figure[]>,
): Promise<Figure[]> {
  const figures = await measure('SQLite', {})
  await using server = await startPostgres()
  return server ? [...figures, ...(await measure('PostgreSQL', { DATABASE_URL: server.url }))] : figures
}
