import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from './database.ts'
import type { Db } from './db.ts'

export function jsonFunctions(db: Db): Record<'list' | 'gather', RawBuilder<unknown>> {
  const [list, gather] = isPostgres(db)
    ? ['json_build_array', 'json_agg']
    : ['json_array', 'json_group_array']
  return { list: sql.raw(list), gather: sql.raw(gather) }
}

/** Drivers read many columns more slowly than one text. */
export function asText(json: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`cast(${json} as text)`
}

export function columnsOf(db: Db, alias: string, names: readonly string[]): RawBuilder<unknown> {
  const read = (name: string) => {
    const column = sql.ref(`${alias}.${name}`)
    return isPostgres(db) && name.endsWith('_at') ? isoTime(column) : column
  }
  return sql.join(names.map(read))
}

/** In JSON, PostgreSQL prints times in the session's time zone, without trailing zeros. */
function isoTime(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

export function namedValues<Row>(names: readonly (keyof Row)[], values: readonly unknown[]): Row {
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Row
}
