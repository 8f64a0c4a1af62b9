import type { CompiledQuery, Expression, InsertObject, QueryResult } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Tables } from './tables.ts'

/** Stands for the values of each execution. */
export type Places<Values> = { readonly [Name in keyof Values]: Expression<Values[Name]> }

export type Prepared<Values, Row> = (db: Db, values: Values) => Promise<QueryResult<Row>>

/**
 * A statement that is built and compiled once per dialect, because that takes several times as long as running it. For
 * the statements of frequent requests only: a query builder at the call is easier to read.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, places: Places<Values>) => { compile(): CompiledQuery<Row> },
): Prepared<Values, Row> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db, values) => {
    const { adapter, plugins } = db.getExecutor()
    // Plugins take part in compiling.
    const owner = plugins.length > 0 ? adapter : adapter.constructor
    const query = compiled.get(owner) ?? build(db, places()).compile()
    compiled.set(owner, query)
    return db.executeQuery({ ...query, parameters: query.parameters.map((value) => given(value, values)) })
  }
}

/** The same for rows, which have the same columns: built once for each number of them. */
export function preparedRows<Row extends object, Result>(
  build: (db: Db, rows: readonly Places<Row>[]) => { compile(): CompiledQuery<Result> },
): (db: Db, rows: readonly Row[]) => Promise<QueryResult<Result>> {
  const statements = new Map<string, Prepared<readonly unknown[], Result>>()
  return (db, rows) => {
    const columns = Object.keys(rows[0] ?? {}).sort() as (keyof Row)[]
    const statement = statements.get(`${rows.length} ${columns}`) ?? preparedFor(build, columns, rows.length)
    if (rows.length <= MOST_ROWS) statements.set(`${rows.length} ${columns}`, statement)
    const values = rows.flatMap((row) => columns.map((name) => row[name]))
    return statement(db, values)
  }
}

/** Inserts rows into a table; a conflict is an error. */
export function preparedInsert<Table extends keyof Tables>(table: Table) {
  return preparedRows((db, rows: readonly Places<Tables[Table]>[]) =>
    db.insertInto(table).values(rows as readonly InsertObject<Tables, Table>[]),
  )
}

function preparedFor<Row extends object, Result>(
  build: (db: Db, rows: readonly Places<Row>[]) => { compile(): CompiledQuery<Result> },
  columns: readonly (keyof Row)[],
  length: number,
): Prepared<readonly unknown[], Result> {
  const rowAt = (places: Places<readonly unknown[]>, n: number) =>
    Object.fromEntries(columns.map((name, m) => [name, places[n * columns.length + m]])) as Places<Row>
  return prepared((db, places) =>
    build(
      db,
      Array.from({ length }, (_, n) => rowAt(places, n)),
    ),
  )
}

/** Longer lists, such as those of an import, are rare. */
const MOST_ROWS = 10

/** The name of a value, where the compiled statement has a parameter. */
interface Place {
  readonly place: PropertyKey
}

function places<Values>(): Places<Values> {
  return new Proxy({} as Places<Values>, { get: (_, place) => sql.val<unknown>({ place } satisfies Place) })
}

/** Constants of the statement, such as a limit, are parameters too. */
function given<Values extends object>(parameter: unknown, values: Values): unknown {
  if (typeof parameter !== 'object' || parameter === null || !('place' in parameter)) return parameter
  return values[parameter.place as keyof Values]
}
