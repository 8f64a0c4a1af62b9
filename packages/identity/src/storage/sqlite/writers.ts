import type { QueryResult } from 'kysely'
import { CompiledQuery, DeleteQueryNode, InsertQueryNode, RawNode, UpdateQueryNode } from 'kysely'
import type { DatabaseWatch } from '../database-watch.ts'
import { unavailable } from '../driver-errors.ts'
import { isUndoable } from '../durability.ts'
import { endsStatementOnly, retryWhileLocked, translateError } from './retry.ts'

const BATCH_MS = 10
/** Maximum time for writers per turn of the event loop. */
const TURN_MS = 5

export interface Writers {
  /** Waiting statements share a commit. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
  /** Resolves to the start of the wait once no other writer is active. Throws 503 after a long wait. */
  acquire(): Promise<number>
  release(): void
  delay(): number
}

export interface SqliteDatabase {
  run<Row>(query: CompiledQuery): QueryResult<Row>
  close(): void
}

export interface SqliteWriter extends SqliteDatabase {
  /** Whether later commits wait for the disk. Call outside transactions only. */
  setDurable(durable: boolean): void
}

type Clock = () => number

interface Waiting {
  readonly since: number
  /** Absent if the caller begins a transaction. */
  readonly query: CompiledQuery | undefined
  resolve(result?: QueryResult<unknown>): void
  reject(error: unknown): void
}

/**
 * A commit blocks the event loop until the disk has written, so waiting statements share one: 100 parallel inserts
 * take 24 ms instead of 490. Commits run in bursts of a few milliseconds, so that reads continue during a flood (FLT-20). One
 * commit per turn is too slow, because turns of a busy loop are long.
 */
export function createWriters(
  database: () => SqliteWriter,
  waited: DatabaseWatch['waited'],
  patience: number,
  clock: Clock = () => performance.now(),
): Writers {
  const queue: Waiting[] = []
  /** From scheduling a turn until its writer has finished. */
  let busy = false
  let turnBegan = 0
  const advance = () => {
    busy = queue.length > 0
    if (!busy) return
    if (clock() - turnBegan < TURN_MS) queueMicrotask(writeNext)
    else setImmediate(beginTurn)
  }
  const beginTurn = () => {
    turnBegan = clock()
    return writeNext()
  }
  const writeNext = async () => {
    refuseLate(queue, patience, clock)
    const [first] = queue
    if (first) waited(clock() - first.since)
    if (first && !first.query) {
      database().setDurable(true)
      return queue.shift()?.resolve()
    }
    await writeFirst(database(), queue, patience, clock)
    advance()
  }
  const turn = (query?: CompiledQuery) =>
    new Promise<QueryResult<unknown> | undefined>((resolve, reject) => {
      queue.push({ since: clock(), query, resolve, reject })
      if (!busy) advance()
    })
  return {
    run: async <Row>(query: CompiledQuery) => (await turn(query)) as QueryResult<Row>,
    async acquire() {
      const since = clock()
      await turn()
      return since
    },
    release: advance,
    delay: () => (queue[0] ? clock() - queue[0].since : 0),
  }
}

function refuseLate(waiting: Waiting[], patience: number, clock: Clock): void {
  while (waiting[0] && clock() - waiting[0].since >= patience) waiting.shift()?.reject(unavailable())
}

async function writeFirst(
  database: SqliteWriter,
  waiting: Waiting[],
  patience: number,
  clock: Clock,
): Promise<void> {
  const [firstWaiting, secondWaiting] = waiting
  if (!firstWaiting?.query) return
  const { query, since } = firstWaiting
  const durable = !isUndoable(query)
  const joins = (other: CompiledQuery | undefined) =>
    other !== undefined && mayShare(other) && (durable || isUndoable(other))
  try {
    database.setDurable(durable)
    if (mayShare(query) && joins(secondWaiting?.query)) {
      // More statements can join this commit while it waits for other processes.
      await retryWhileLocked(() => database.run(BEGIN), since, patience)
      return commitTogether(database, waiting, joins, clock)
    }
    waiting.shift()
    firstWaiting.resolve(await retryWhileLocked(() => database.run(query), since, patience))
  } catch (error) {
    if (waiting[0] === firstWaiting) waiting.shift()
    firstWaiting.reject(error)
  }
}

const BEGIN = CompiledQuery.raw('begin immediate')
const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/** Callers get their results only after the commit. */
function commitTogether(
  database: SqliteDatabase,
  waiting: Waiting[],
  joins: (query: CompiledQuery | undefined) => boolean,
  clock: Clock,
): void {
  const began: Waiting[] = []
  const answers: (() => void)[] = []
  try {
    for (const end = clock() + BATCH_MS; clock() < end; ) {
      const [next] = waiting
      if (!next?.query || !joins(next.query)) break
      waiting.shift()
      began.push(next)
      answers.push(answerOf(database, next, next.query))
    }
    database.run(COMMIT)
  } catch (error) {
    rollBack(database)
    for (const { reject } of began) reject(translateError(error))
    return
  }
  for (const answer of answers) answer()
}

function answerOf(database: SqliteDatabase, { resolve, reject }: Waiting, query: CompiledQuery): () => void {
  try {
    const result = database.run(query)
    return () => resolve(result)
  } catch (error) {
    if (!endsStatementOnly(error)) throw error
    return () => reject(error)
  }
}

/** SQLite has already rolled back after a full disk. */
function rollBack(database: SqliteDatabase): void {
  try {
    database.run(ROLLBACK)
  } catch {}
}

/** Row changes can share a transaction, `vacuum` cannot. */
function mayShare({ query: node, sql }: CompiledQuery): boolean {
  if (RawNode.is(node)) return /^\s*(with|insert|update|delete)\b/i.test(sql)
  return InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)
}
