import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

const { PORT, DATA_DIR = '', DATABASE_URL, ANSWER = '{}' } = process.env

const KEYS = Array.from({ length: 16 }, () => randomUUID())

interface Store {
  write(): unknown
  find(): unknown
}

let turn = 0

const { write, find } = DATABASE_URL === undefined ? onSqlite() : await onPostgres(DATABASE_URL)

createServer(async (request, response) => {
  if (request.url === '/write') await write()
  // `await` would cost a turn.
  const found = find()
  const body = found instanceof Promise ? await found : found
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(body)
}).listen(Number(PORT), '127.0.0.1')

function onSqlite(): Store {
  const db = new DatabaseSync(join(DATA_DIR, 'bare.sqlite'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec('CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT')
  const insert = db.prepare('INSERT INTO answers (id, body) VALUES (?, ?)')
  const select = db.prepare('SELECT body FROM answers WHERE id = ?')
  db.exec('DELETE FROM answers')
  for (const key of KEYS) insert.run(key, ANSWER)
  return { write: () => insert.run(randomUUID(), ANSWER), find: () => select.get(nextKey())?.body }
}

async function onPostgres(connectionString: string): Promise<Store> {
  const pool = new pg.Pool({ connectionString, max: 10 })
  await pool.query('CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, body TEXT NOT NULL)')
  const insert = { name: 'insert', text: 'INSERT INTO answers (id, body) VALUES ($1, $2)' }
  const select = { name: 'select', text: 'SELECT body FROM answers WHERE id = $1' }
  await pool.query('DELETE FROM answers')
  for (const key of KEYS) await pool.query({ ...insert, values: [key, ANSWER] })
  return {
    write: () => pool.query({ ...insert, values: [randomUUID(), ANSWER] }),
    find: async () => (await pool.query({ ...select, values: [nextKey()] })).rows[0].body,
  }
}

function nextKey(): string {
  turn = (turn + 1) % KEYS.length
  return KEYS[turn] ?? ''
}
