import type { Migration } from 'kysely/migration'
import { initial } from './0001-initial.ts'

/** In the order of their names; a migration that was released is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
}
