import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const { PORT, DATA_DIR = '', ANSWER = '{}' } = process.env

const KEYS = Array.from({ length: 16 }, () => randomUUID())

const db = new DatabaseSync(join(DATA_DIR, 'bare.sqlite'))
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
db.exec('CREATE TABLE answers (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT')
const insert = db.prepare('INSERT INTO answers (id, body) VALUES (?, ?)')
const select = db.prepare('SELECT body FROM answers WHERE id = ?')
for (const key of KEYS) insert.run(key, ANSWER)

let turn = 0

createServer((_request, response) => {
  turn = (turn + 1) % KEYS.length
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(select.get(KEYS[turn] ?? '')?.body)
}).listen(Number(PORT), '127.0.0.1')
