import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readRecords } from './records.ts'

const scratch = mkdtempSync(join(tmpdir(), 'my-app-records-'))
after(() => rmSync(scratch, { recursive: true }))

const rows = Array.from({ length: 100 }, (_, index) => ({ email: `user-${index}@example.com` }))

for (const [name, text] of [
  ['rows.csv', `email\n${rows.map(({ email }) => `${email}\n`).join('')}`],
  ['rows.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
  ['rows.json', JSON.stringify(rows)],
  ['firebase.json', JSON.stringify({ users: rows })],
  ['cognito.json', JSON.stringify({ Users: rows })],
] as const)
  test(`reads every record of ${name}, with the part that is done`, async () => {
    const file = join(scratch, name)
    writeFileSync(file, text)
    const shares: number[] = []
    for await (const record of readRecords(file)) {
      assert.deepEqual({ ...(record.read() as object) }, rows[shares.length])
      shares.push(record.share)
    }
    assert.equal(shares.length, rows.length)
    assert.deepEqual(
      shares,
      shares.toSorted((one, other) => one - other),
    )
    assert.ok(Math.abs((shares[49] ?? 0) - 0.5) < 0.02, `in the middle: ${shares[49]}`)
    assert.ok(Math.abs((shares[99] ?? 0) - 1) < 0.02, `in the end: ${shares[99]}`)
  })
