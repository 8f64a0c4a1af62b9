import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { isPostgres } from './db.ts'

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

export function columnsOf(alias: string, names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`${alias}.${name}`)))
}

export function namedValues<Row>(names: readonly (keyof Row & string)[], values: readonly unknown[]): Row {
  return Object.fromEntries(names.map((name, index) => [name, uniform(name, values[index])])) as Row
}

/** PostgreSQL prints times in the session's time zone, without trailing zeros. */
function uniform(name: string, value: unknown): unknown {
  return name.endsWith('_at') && typeof value === 'string' ? new Date(value).toISOString() : value
}
