import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import product from '../../../../app/server.ts'
import { readSettings } from '../../test/settings.ts'
import { checkDatabase } from './database-checks.ts'

test('warns of applied migrations that the product no longer lists, except the one for jobs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-migrations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'used.sqlite')
  const db = new DatabaseSync(file)
  db.exec(`create table product_migration (name);
    insert into product_migration values ('0000-jobs'), ('0001-links')`)
  db.close()
  const settings = readSettings({ DATABASE_URL: `sqlite:${file}` })
  const findings = await checkDatabase({ product, settings, deep: false, now: () => new Date() })
  assert.deepEqual(
    findings.filter(({ level }) => level !== 'ok').map(({ message }) => message),
    ['The database has migrations that app/server.ts does not list: product/0001-links.'],
  )
})
