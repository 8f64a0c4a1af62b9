import type { CompiledQuery, SqliteDatabase } from 'kysely'

/** The connection that writes. */
export interface SqliteWriter extends SqliteDatabase {
  /** Whether later commits wait for the disk. Call it outside transactions only. */
  setDurable(durable: boolean): void
}

/**
 * Whether a power cut may undo the statement: an opened form is opened again, a counted attempt is one of many, the last
 * use of a session is known to the minute only, a message that a worker had claimed is claimed again, and the clean-up
 * deletes and moves pages again. A killed process loses none of them. Everything else is on the disk before its response.
 */
export function mayBeUndone({ sql }: CompiledQuery): boolean {
  return UNDONE.some((begin) => begin.test(sql))
}

const UNDONE = [
  /^insert into "flows"/,
  /^update "limits"/,
  /^\s*with wanted [^;]* insert into limits /,
  /^update "sessions" set "last_active_at" /,
  /^with "due" /,
  /^delete from "\w+" where "id" in \(select "id" from /,
  /^pragma incremental_vacuum/,
]

/**
 * In WAL mode `normal` does not wait at a commit; a later commit with `full` writes the earlier ones too.
 * @param execute not a cached statement: SQLite applies this pragma when it compiles it
 */
export function durability(execute: (sql: string) => void): SqliteWriter['setDurable'] {
  let isDurable: boolean | undefined
  return (durable) => {
    if (durable === isDurable) return
    execute(`pragma synchronous = ${durable ? 'full' : 'normal'}`)
    isDurable = durable
  }
}
