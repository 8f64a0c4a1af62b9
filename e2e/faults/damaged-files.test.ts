import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { few } from '@ostiary/identity/testing/input/sample'
import { fault } from './fault.ts'
import { signIn } from './load.ts'
import { createUsers, newPlace } from './product.ts'

const SECRETS = randomBytes(32).toString('base64')

/** To a killed server's files. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'the header is overwritten': (file) => flip(file, 0, 32),
  'a page is overwritten': (file) => flip(file, 4096 * 3, 4096),
  'the file is cut in half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'the file is empty': (file) => truncateSync(file, 0),
  'the log is cut in half': (file) =>
    truncateSync(`${file}-wal`, Math.floor(statSync(`${file}-wal`).size / 2)),
  'the log is overwritten': (file) => flip(`${file}-wal`, 40, 4096),
  'the index of the log is lost': (file) => rmSync(`${file}-shm`),
  'the index of the log is overwritten': (file) => flip(`${file}-shm`, 0, 32_768),
}

fault('FLT-25 a database with damaged files is refused or intact, never empty', async () => {
  await using place = await newPlace({ SECRETS })
  const first = await place.start()
  const [user] = await createUsers(first, 1)
  await first.stop()
  // Later changes are only in the write-ahead log.
  const second = await place.start()
  await createUsers(second, 3)
  await second.kill()
  for (const [what, damage] of few('damages', Object.entries(DAMAGES), 4)) {
    await using copy = await newPlace()
    cpSync(place.folder, copy.folder, { recursive: true })
    damage(copy.file)
    const started = await copy.start({ SECRETS }).catch((error: Error) => error)
    if (started instanceof Error)
      assert.match(
        started.message,
        /exit code 1\.\n.*(damaged|truncated|empty|malformed|not a database)/,
        what,
      )
    else {
      assert.equal(await signIn(started.port, user!), 200, what)
      assertSound(copy.file, what)
    }
  }
})

function assertSound(file: string, what: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  assert.equal(database.prepare('pragma integrity_check').get()?.integrity_check, 'ok', what)
  database.close()
}

function flip(file: string, from: number, length: number): void {
  const bytes = readFileSync(file)
  for (let at = from; at < Math.min(from + length, bytes.length); at += 1) bytes[at] = ~(bytes[at] ?? 0)
  writeFileSync(file, bytes)
}
