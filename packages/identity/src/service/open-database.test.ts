import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { UNWATCHED } from '../storage/database-watch.ts'
import type { Opening } from './open-database.ts'
import { openConfigured } from './open-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'identity-open-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('FLT-06 explains why the database is not writable at startup', async () => {
  const path = join(folder, 'held.sqlite')
  const how: Opening = {
    now: () => new Date('2031-04-02T09:00:00.000Z'),
    watch: UNWATCHED,
    warn: assert.fail,
    secrets: { default: ['a'.repeat(32)], cookie: [], cipher: [], pagination: [] },
  }
  const first = await openConfigured(path, how)
  await first.db.destroy()
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  await assert.rejects(
    openConfigured(`${path}?_busy_timeout=1`, { ...how, inUse: true }),
    /^ConfigError: dsn: the database cannot be opened: database is locked$/,
  )
  other.close()
})
