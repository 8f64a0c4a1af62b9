import type { QueryResult, SqliteDatabase } from 'kysely'
import { CompiledQuery, DeleteQueryNode, InsertQueryNode, RawNode, UpdateQueryNode } from 'kysely'
import { endsStatementOnly, PATIENCE_MS, retried, translated, unavailable } from './sqlite-retry.ts'
import { run } from './sqlite-run.ts'

/** How long statements of one commit run at most. */
const TURN_MS = 10

/** One writer at a time, in the order of their calls. */
export interface Writers {
  /** Runs a statement. Those that wait beside it share its commit. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
  /** Resolves to when the wait began, once no other writes. Throws 503 after a long wait. */
  acquire(): Promise<number>
  release(): void
  /** For how many milliseconds the next writer has been waiting. */
  delay(): number
}

interface Waiting {
  readonly since: number
  /** Absent where the caller begins a transaction. */
  readonly query: CompiledQuery | undefined
  resolve(result?: QueryResult<unknown>): void
  reject(error: unknown): void
}

/**
 * A commit waits for the disk, and the event loop waits with it. Each turn of the loop therefore has one commit at
 * most, so that look-ups are answered between the commits of a flood; and statements that wait share one (FLT-20).
 */
export function createWriters(database: () => SqliteDatabase): Writers {
  const waiting: Waiting[] = []
  /** From the moment that a turn is planned until its writer is done. */
  let busy = false
  const advance = () => {
    busy = waiting.length > 0
    if (busy) setImmediate(writeNext)
  }
  const writeNext = async () => {
    refuseLate(waiting)
    const [first] = waiting
    // Its transaction goes on until the caller releases.
    if (first && !first.query) return waiting.shift()?.resolve()
    await writeFirst(database(), waiting)
    advance()
  }
  const turn = (query?: CompiledQuery) =>
    new Promise<QueryResult<unknown> | undefined>((resolve, reject) => {
      waiting.push({ since: performance.now(), query, resolve, reject })
      if (!busy) advance()
    })
  return {
    run: async <Row>(query: CompiledQuery) => (await turn(query)) as QueryResult<Row>,
    async acquire() {
      const since = performance.now()
      await turn()
      return since
    },
    release: advance,
    delay: () => (waiting[0] ? performance.now() - waiting[0].since : 0),
  }
}

function refuseLate(waiting: Waiting[]): void {
  while (waiting[0] && performance.now() - waiting[0].since >= PATIENCE_MS)
    waiting.shift()?.reject(unavailable())
}

async function writeFirst(database: SqliteDatabase, waiting: Waiting[]): Promise<void> {
  const [first, second] = waiting
  if (!first?.query) return
  const { query, since } = first
  try {
    if (mayShare(query) && mayShare(second?.query)) {
      // Before the first statement: what waits for another process here can still be joined by others.
      await retried(() => run(database, BEGIN), since)
      return commitTogether(database, waiting)
    }
    waiting.shift()
    first.resolve(await retried(() => run(database, query), since))
  } catch (error) {
    if (waiting[0] === first) waiting.shift()
    first.reject(error)
  }
}

const BEGIN = CompiledQuery.raw('begin immediate')
const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/** Runs the statements at the head of the line. Their callers learn of them once they are on the disk, and not before. */
function commitTogether(database: SqliteDatabase, waiting: Waiting[]): void {
  const began: Waiting[] = []
  const answers: (() => void)[] = []
  try {
    for (const end = performance.now() + TURN_MS; performance.now() < end; ) {
      const [next] = waiting
      if (!next?.query || !mayShare(next.query)) break
      waiting.shift()
      began.push(next)
      answers.push(answerOf(database, next, next.query))
    }
    run(database, COMMIT)
  } catch (error) {
    rollBack(database)
    for (const { reject } of began) reject(translated(error))
    return
  }
  for (const answer of answers) answer()
}

/** Runs one of several statements. Throws where its failure is that of all. */
function answerOf(database: SqliteDatabase, { resolve, reject }: Waiting, query: CompiledQuery): () => void {
  try {
    const result = run(database, query)
    return () => resolve(result)
  } catch (error) {
    if (!endsStatementOnly(error)) throw error
    return () => reject(error)
  }
}

/** After a full disk SQLite has done so itself. */
function rollBack(database: SqliteDatabase): void {
  try {
    run(database, ROLLBACK)
  } catch {}
}

/** Changes of rows. What changes the database itself, as `vacuum` does, may be forbidden in a transaction. */
function mayShare(query: CompiledQuery | undefined): boolean {
  if (!query) return false
  const { query: node, sql } = query
  if (RawNode.is(node)) return /^\s*(with|insert|update|delete)\b/i.test(sql)
  return InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)
}
