// The least that a session service could be: node:http, one look-up or one row written, and the answer.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const { PORT, DATA_DIR = '', ANSWER = '{}' } = process.env

const db = new DatabaseSync(join(DATA_DIR, 'bare.sqlite'))
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
db.exec('CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT')
const insert = db.prepare('INSERT INTO answers (id, body) VALUES (?, ?)')
const find = db.prepare('SELECT body FROM answers WHERE id = ?')
db.exec('DELETE FROM answers')
insert.run('known', ANSWER)

createServer((request, response) => {
  if (request.url === '/write') insert.run(randomUUID(), ANSWER)
  const row = find.get('known')
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(row?.body)
}).listen(Number(PORT), '127.0.0.1')
