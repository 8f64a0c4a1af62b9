import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { startMailServer } from '@ostiary/identity/testing/servers/mail-server'
import { assertStatuses, fault, figuresOf } from './fault.ts'
import { beginVisits } from './load.ts'
import { newPlace, processFigures } from './product.ts'

const EMAILS = runs(40, 1_000)
/** An email in progress is retried after two minutes. */
const KILLS = runs(0, 1)
/** Those in progress at the kill may arrive twice. */
const SENDING = 20

fault(
  'FLT-07 without a mail server users register, and every email arrives later, even after kill -9',
  async (report) => {
    const port = await freePort()
    await using place = await newPlace({ SMTP_URL: `smtp://127.0.0.1:${port}/?disable_starttls=true` })
    let replica = await place.start()
    const load = beginVisits(replica.port, 3)
    const { confirmed } = load
    while (confirmed.length < EMAILS) await delay(20)
    const answers = await load.stop()
    report(figuresOf(answers))
    // 503: too busy to hash.
    assertStatuses(answers, 200, 503)

    const server = await startMailServer({}, { port })
    const began = performance.now()
    for (let round = 0; round < KILLS; round += 1) {
      while (server.received.length < EMAILS / 4) await delay(5)
      await replica.kill()
      replica = await place.start()
    }
    const arrived = () => new Set(server.received.map(({ to }) => to))
    while (confirmed.some((email) => !arrived().has(email))) await delay(200)
    const duplicated = server.received.length - arrived().size
    report({ acked: confirmed.length, lost: 0, duplicated, recoveryMs: performance.now() - began })
    report(await processFigures(replica))
    assert.ok(duplicated <= SENDING, `${duplicated} emails came twice`)
    assert.equal(new Set(server.received.map(({ message_id }) => message_id)).size, arrived().size)
    await server.stop()
  },
)
