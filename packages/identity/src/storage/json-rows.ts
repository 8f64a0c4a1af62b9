import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { isPostgres } from './db.ts'

/** The functions of this database that make a JSON array of values, and one of rows. */
export function jsonFunctions(db: Db): Record<'list' | 'gather', RawBuilder<unknown>> {
  const [list, gather] = isPostgres(db)
    ? ['json_build_array', 'json_agg']
    : ['json_array', 'json_group_array']
  return { list: sql.raw(list), gather: sql.raw(gather) }
}

/** As one text: a driver takes longer to read many columns than the database takes to join them. */
export function asText(json: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`cast(${json} as text)`
}

export function columnsOf(alias: string, names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`${alias}.${name}`)))
}

/** The row again. */
export function namedValues<Row>(names: readonly (keyof Row)[], values: readonly unknown[]): Row {
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Row
}
