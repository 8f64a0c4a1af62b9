import {
  type CompiledQuery,
  type Expression,
  type Insertable,
  type InsertObject,
  type QueryResult,
  sql,
} from 'kysely'
import { isPostgres } from './database.ts'
import type { Db } from './db.ts'
import { withoutFsync, withoutWaiting } from './durability.ts'
import type { Tables } from './tables.ts'

export type Places<Values> = { readonly [Name in keyof Values]: Expression<Values[Name]> }

export type Prepared<Values, Row> = (db: Db, values: Values) => Promise<QueryResult<Row>>

interface Options {
  /** See `durability.ts`. */
  readonly needsNoFsync?: boolean | 'on SQLite'
}

/**
 * Compiles once per dialect, so that a look-up takes 56 µs instead of 137. Only for frequent requests; an inline query
 * is easier to read.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, places: Places<Values>) => { compile(): CompiledQuery<Row> },
  { needsNoFsync = false }: Options = {},
): Prepared<Values, Row> {
  const isRelaxed = (db: Db) =>
    isPostgres(db) ? needsNoFsync === true && !db.isTransaction : needsNoFsync !== false
  const compile = (db: Db) => {
    const query = build(db, places()).compile()
    if (!isRelaxed(db)) return query
    return isPostgres(db) ? withoutWaiting(query) : withoutFsync(query)
  }
  const compiled = new Map<string, CompiledQuery<Row>>()
  const compileOnce = (db: Db) => {
    // Plugins affect compilation.
    if (db.getExecutor().plugins.length > 0) return compile(db)
    const dialect = `${isPostgres(db)} ${isRelaxed(db)}`
    const query = compiled.get(dialect) ?? compile(db)
    compiled.set(dialect, query)
    return query
  }
  return (db, values) => {
    const query = compileOnce(db)
    return db.executeQuery({ ...query, parameters: query.parameters.map((value) => valueFor(value, values)) })
  }
}

/** Compiles once per number of rows and set of columns. A column that a row lacks is null. */
export function preparedRows<Row extends object, Result>(
  build: BuildRows<Row, Result>,
  options: Options = {},
): (db: Db, rows: readonly Row[]) => Promise<QueryResult<Result>> {
  const statements = new Map<string, Prepared<readonly unknown[], Result>>()
  return (db, rows) => {
    const columns = [...new Set(rows.flatMap(Object.keys))].sort() as (keyof Row)[]
    const key = `${rows.length} ${columns}`
    const statement = statements.get(key) ?? preparedFor(build, columns, rows.length, options)
    if (rows.length <= MOST_ROWS) statements.set(key, statement)
    const values = rows.flatMap((row) => columns.map((name) => row[name] ?? null))
    return statement(db, values)
  }
}

type BuildRows<Row, Result> = (db: Db, rows: readonly Places<Row>[]) => { compile(): CompiledQuery<Result> }

interface InsertOptions extends Options {
  /** Otherwise a conflict is an error. */
  readonly ignoresConflicts?: boolean
}

export function preparedInsert<Table extends keyof Tables>(
  table: Table,
  { ignoresConflicts, ...options }: InsertOptions = {},
) {
  return preparedRows((db, rows: readonly Places<Insertable<Tables[Table]>>[]) => {
    const insert = db
      .insertInto(table)
      .values(rows as readonly object[] as readonly InsertObject<Tables, Table>[])
    return ignoresConflicts ? insert.onConflict((conflict) => conflict.doNothing()) : insert
  }, options)
}

function preparedFor<Row extends object, Result>(
  build: BuildRows<Row, Result>,
  columns: readonly (keyof Row)[],
  length: number,
  options: Options,
): Prepared<readonly unknown[], Result> {
  const rowAt = (places: Places<readonly unknown[]>, n: number) =>
    Object.fromEntries(columns.map((name, m) => [name, places[n * columns.length + m]])) as Places<Row>
  const rowsIn = (places: Places<readonly unknown[]>) => Array.from({ length }, (_, n) => rowAt(places, n))
  return prepared((db, places) => build(db, rowsIn(places)), options)
}

const MOST_ROWS = 10

function places<Values>(): Places<Values> {
  return new Proxy({} as Places<Values>, {
    get: (_, place) => sql.val<unknown>({ place }),
  })
}

/** Constants such as a limit are parameters too. */
function valueFor<Values extends object>(parameter: unknown, values: Values): unknown {
  if (typeof parameter !== 'object' || parameter === null || !('place' in parameter)) return parameter
  return values[parameter.place as keyof Values]
}
